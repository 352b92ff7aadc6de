/** Follows CrowdSec: one process of the fleet asks it, and all read the rows. */
import { Duration, Effect, Layer } from "effect"
import { settings } from "#core/config/Environment.ts"
import * as NetworkFiles from "#core/bans/NetworkFiles.ts"
import { crowdsecFile, maxRanges } from "#core/bans/BanFiles.ts"
import { Health } from "#core/daemon/Health.ts"
import { Wake } from "#core/events/Wake.ts"
import { overlap } from "#core/gateway/BanList.ts"
import { loopback } from "#core/http/ClientAddress.ts"
import * as Audit from "#core/log/Audit.ts"
import { providerTenant } from "#core/auth/Caller.ts"
import { transaction } from "#core/sql/Sql.ts"
import { periodic } from "#core/supervision/Periodic.ts"
import { Actor, Supervisor } from "#core/supervision/Supervisor.ts"
import type { CrowdSecError } from "#protocols/crowdsec/CrowdSecError.ts"
import * as AlertStore from "./AlertStore.ts"
import { CrowdSecClient, type CrowdSecClientShape } from "./CrowdSecClient.ts"
import { alertsOf, kept } from "./CrowdSecList.ts"
import * as CrowdSecState from "./CrowdSecState.ts"
import * as CrowdSecStore from "./CrowdSecStore.ts"
import { banSettings } from "./Settings.ts"
import { shownRange } from "./ShownRange.ts"

/** Wake topic: the list or the state of CrowdSec changed, or an exemption. */
export const crowdsecTopic = "watchdog crowdsec"

/** Age of alerts at the first look. Unit: milliseconds. Reason: the summary's default. */
const firstAlerts = 30 * 86_400_000

/** Overlap of two looks at alerts. Unit: milliseconds. Reason: alerts get their time before they are stored. */
const alertOverlap = 120_000

/** Maximum number of alerts of one look. Reason: CrowdSec sends the newest; each may have many decisions. */
const maxAlertsAtOnce = 1_000

/**
 * Maximum number of decisions inside exemptions that one look lifts. Reason: one request each; the next look lifts
 * more.
 */
const maxLiftsAtOnce = 50

/** Intervals after which a list counts as old. Reason: bridges slow answers and a move of the actor. */
const staleIntervals = 4

/** Age at which the list counts as old. Unit: milliseconds. */
export const staleAfter = (intervalSeconds: number) => staleIntervals * intervalSeconds * 1_000 + 60_000

/** Lifts CrowdSec's decisions inside exemptions, so that an exempt address is not banned again. */
const liftExempt = Effect.fnUntraced(function* ({ api, hasMachine }: CrowdSecClientShape) {
  const rows = hasMachine ? yield* CrowdSecStore.exempt(maxLiftsAtOnce) : []
  for (const { address, id, key } of rows) {
    // 404: it has ended.
    yield* Effect.catchIf(
      api.lift(Number(key)),
      ({ reason }: CrowdSecError) => reason._tag === "NotFound",
      () => Effect.void
    )
    yield* transaction(lifted(id, address, key))
  }
})

const lifted = Effect.fnUntraced(function* (id: number, address: string, key: string) {
  yield* CrowdSecStore.forget(id)
  yield* Audit.write({
    tenantId: providerTenant,
    actor: "system",
    action: "security_ban.lifted",
    entity: "security_ban",
    id: String(id),
    detail: { address: shownRange(address), crowdsec_id: key, why: "exempt" }
  })
})

/** One look. Its failure keeps the last list and becomes the state. */
const makeRound = (client: CrowdSecClientShape, origins: ReadonlyArray<string>) => {
  // Keys that this process wrote last.
  let written: string | undefined
  // Number of unreadable decisions that was logged last.
  let logged = 0
  const look = Effect.gen(function* () {
    const { items, unreadable } = yield* client.api.decisions(origins)
    if (unreadable > logged) yield* Effect.logWarning(`${unreadable} decisions of CrowdSec cannot be read`)
    logged = unreadable
    const { bans, truncated } = kept(items, Date.now())
    const keys = bans.map(({ key }) => key).join()
    const stored = keys === written ? Effect.void : CrowdSecStore.replace(bans)
    yield* transaction(Effect.andThen(stored, CrowdSecState.listed(truncated)))
    written = keys
    if (client.hasMachine) {
      const { alerts_at } = yield* CrowdSecState.read
      const age = alerts_at === null ? firstAlerts : Date.now() - alerts_at.getTime() + alertOverlap
      const alerts = yield* client.api.alerts(Math.min(age, firstAlerts), maxAlertsAtOnce)
      yield* transaction(Effect.andThen(AlertStore.add(alertsOf(alerts.items)), CrowdSecStore.dateFrom(alerts.items)))
      yield* liftExempt(client)
    }
    yield* CrowdSecState.succeeded(client.hasMachine)
    return `${bans.length} bans of CrowdSec`
  })
  return look.pipe(
    Effect.catchTag("CrowdSecError", (error) => {
      written = undefined
      return Effect.as(
        Effect.andThen(Effect.logWarning(`CrowdSec: ${error.message}`), CrowdSecState.failed(error.message)),
        `CrowdSec is away: ${error.message}`
      )
    }),
    Effect.tap(Effect.flatMap(Wake, (wake) => wake.announce(crowdsecTopic)))
  )
}

const following = Effect.gen(function* () {
  const config = yield* settings(banSettings)
  const { client } = yield* CrowdSecClient
  const wake = yield* Wake
  const interval = Duration.millis(config.crowdsecInterval * config.second)
  if (client === undefined) {
    yield* Health.component("crowdsec", Effect.succeed(CrowdSecState.component(CrowdSecState.shown(undefined, 0, 0))))
    return
  }
  yield* Supervisor.actor(
    periodic({ name: "crowdsec", every: interval, round: makeRound(client, config.crowdsecOrigins) })
  )
  let state: CrowdSecState.CrowdSecState = yield* CrowdSecState.read
  const never = [...loopback, ...config.trustedProxies]
  yield* Supervisor.actor({
    name: "crowdsec bans of this host",
    run: Effect.gen(function* () {
      const actor = yield* Actor
      const told = yield* wake.subscribe(crowdsecTopic)
      while (true) {
        yield* actor.progress
        state = yield* CrowdSecState.read
        if (config.networkDir !== undefined) {
          const bans = (yield* CrowdSecStore.standing(maxRanges)).filter(
            ({ address }) => !never.some((range) => overlap(range, address))
          )
          yield* NetworkFiles.write(config.networkDir, [crowdsecFile(bans, Date.now())])
          yield* actor.note(`${bans.length} addresses and ranges in ${config.networkDir}`)
        }
        yield* told.wait(interval)
      }
    })
  })
  const stale = staleAfter(config.crowdsecInterval)
  yield* Health.component(
    "crowdsec",
    Effect.sync(() => CrowdSecState.component(CrowdSecState.shown(state, Date.now(), stale)))
  )
})

/** Asks CrowdSec, writes its bans for the firewall of this host, and reports its state. */
export const layer = Layer.effectDiscard(following)
