/** Changes by people: bans, lifts, exemptions. Each writes its rows, event and audit entry in one transaction. */
import { Effect } from "effect"
import { BanAdded, BanLifted } from "#core/contracts/Security.ts"
import { providerTenant } from "#core/auth/Caller.ts"
import { Events } from "#core/events/Events.ts"
import { Wake } from "#core/events/Wake.ts"
import { normalised } from "#core/gateway/BanList.ts"
import { type FieldProblem, InvalidRequest, NotFound } from "#core/http/Problem.ts"
import * as Audit from "#core/log/Audit.ts"
import { transaction } from "#core/sql/Sql.ts"
import { SqlClient } from "effect/sql"
import { banProblem, widthProblem } from "./AddressRefusal.ts"
import { CrowdSecClient } from "./CrowdSecClient.ts"
import { crowdsecTopic } from "./CrowdSecSync.ts"
import * as DecisionStore from "./DecisionStore.ts"
import { CrowdSecFailed } from "./Errors.ts"
import * as ExemptionStore from "./ExemptionStore.ts"
import { manualRule } from "./Fields.ts"
import { shownRange } from "./ShownRange.ts"
import { source } from "./Source.ts"

/** Who changes something. `actor`: as in the audit log; `address`: of the client, if there is one. */
export interface Author {
  readonly actor: string
  readonly address: string | undefined
}

const field = (name: string, message: string): InvalidRequest =>
  new InvalidRequest({ errors: [{ field: `payload.${name}`, message } satisfies FieldProblem] })

const audit = (author: Author, action: string, entity: string, id: number, detail: Readonly<Record<string, unknown>>) =>
  Audit.write({
    tenantId: providerTenant,
    actor: author.actor,
    action: `${entity}.${action}`,
    entity,
    id: String(id),
    address: author.address,
    detail
  })

export interface BanRequest {
  readonly address: string
  readonly seconds: number
  readonly reason: string
}

/**
 * Bans an address by hand. Runs in the surrounding transaction. `own`: addresses of this host, `trusted`: proxies;
 * neither may be banned.
 */
export const ban = Effect.fnUntraced(function* (
  { address, reason, seconds }: BanRequest,
  author: Author,
  { own, trusted }: { readonly own: ReadonlyArray<string>; readonly trusted: ReadonlyArray<string> }
) {
  const problem = banProblem(address, { own, trusted, caller: author.address })
  if (problem !== undefined) return yield* field("address", problem)
  const range = normalised(address)!
  const sql = yield* SqlClient.SqlClient
  const [exempt] = yield* sql`select 1 from watchdog.exemption where until > now() and address && ${range}::cidr`
  if (exempt !== undefined)
    return yield* field("address", "overlaps an exemption, so the ban would have no effect; end the exemption first")
  const since = new Date()
  const until = new Date(since.getTime() + seconds * 1_000)
  const id = yield* DecisionStore.putManual({ address: range, origin: source, rule: manualRule, since, until, reason })
  yield* Effect.flatMap(Events, (events) =>
    events.emit(BanAdded, source, { address: shownRange(range), rule: manualRule, until, reason })
  )
  yield* audit(author, "added", "security_ban", id, { address: shownRange(range), seconds, reason })
  return (yield* DecisionStore.find(id))!
})

export interface LiftRequest {
  readonly id: number
  /** 0: no exemption. */
  readonly exemptSeconds: number
  readonly reason: string | undefined
}

/** Lifts all bans of a ban's address. Asks CrowdSec first, outside a transaction; when that fails, nothing changes. */
export const lift = Effect.fnUntraced(function* ({ exemptSeconds, id, reason }: LiftRequest, author: Author) {
  const row = yield* transaction(DecisionStore.find(id))
  if (row === undefined) return yield* new NotFound({ detail: "The ban does not exist." })
  const all = yield* transaction(DecisionStore.ofAddress(row.address))
  const { client } = yield* CrowdSecClient
  for (const { key, source: from } of all) {
    if (from !== "crowdsec") continue
    if (client === undefined || !client.hasMachine)
      return yield* new CrowdSecFailed({
        detail: "CrowdSec banned the address, and SIGNALBOX_CROWDSEC_MACHINE is not set. Nothing was changed."
      })
    yield* Effect.catchTag(client.api.lift(Number(key)), "CrowdSecError", (error) =>
      // It has ended, or somebody else lifted it.
      error.reason._tag === "NotFound"
        ? Effect.void
        : Effect.fail(new CrowdSecFailed({ detail: `${error.message}. Our own bans were not changed.` }))
    )
  }
  return yield* transaction(
    Effect.gen(function* () {
      const exemption =
        exemptSeconds === 0
          ? undefined
          : yield* ExemptionStore.add({
              address: row.address,
              seconds: exemptSeconds,
              reason,
              by: author.actor,
              atLeast: true
            })
      yield* DecisionStore.remove(all.map((one) => one.id))
      const address = shownRange(row.address)
      // Also for a ban of CrowdSec alone: a daemon may have banned the address a moment ago.
      yield* Effect.flatMap(Events, (events) => events.emit(BanLifted, source, { address }))
      yield* audit(author, "lifted", "security_ban", id, {
        address,
        rule: row.rule,
        exempt_s: exemptSeconds,
        ...(reason === undefined ? {} : { reason })
      })
      yield* Effect.flatMap(Wake, (wake) => wake.announce(crowdsecTopic))
      return { address, lifted: all.length, exemption: exemption === undefined ? null : ExemptionStore.view(exemption) }
    })
  )
})

/** Exempts an address. Runs in the surrounding transaction. */
export const exempt = Effect.fnUntraced(function* ({ address, reason, seconds }: BanRequest, author: Author) {
  const problem = widthProblem(address)
  if (problem !== undefined) return yield* field("address", problem)
  const row = yield* ExemptionStore.add({
    address: normalised(address)!,
    seconds,
    reason,
    by: author.actor,
    atLeast: false
  })
  yield* audit(author, "added", "security_exemption", row.id, { address: shownRange(row.address), seconds, reason })
  yield* Effect.flatMap(Wake, (wake) => wake.announce(crowdsecTopic))
  return row
})

/** Ends an exemption. Runs in the surrounding transaction. */
export const endExemption = Effect.fnUntraced(function* (id: number, author: Author) {
  const row = yield* ExemptionStore.end(id)
  yield* audit(author, "ended", "security_exemption", id, { address: shownRange(row.address) })
  yield* Effect.flatMap(Wake, (wake) => wake.announce(crowdsecTopic))
})
