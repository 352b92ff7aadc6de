/** Projects the events of bans and exemptions of all daemons into the tables of bans and alerts. */
import { Effect, Result, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { BanAdded, BanLifted, ExemptionAdded, ExemptionEnded } from "#core/contracts/Security.ts"
import { type Consumer, type Event } from "#core/events/Events.ts"
import { normalised } from "#core/gateway/BanList.ts"
import { transaction } from "#core/sql/Sql.ts"
import * as AlertStore from "./AlertStore.ts"
import * as DecisionStore from "./DecisionStore.ts"
import { maxReason, maxRule } from "./Fields.ts"

/** Rule of alerts about exemptions, which belong to no rule. */
export const exemptionRule = "exemption"

const decodeAdded = Schema.decodeUnknownResult(BanAdded.data)
const decodeExempted = Schema.decodeUnknownResult(ExemptionAdded.data)
const decodeLifted = Schema.decodeUnknownResult(BanLifted.data)
const decodeEnded = Schema.decodeUnknownResult(ExemptionEnded.data)

/** Text of another daemon, cut and without control characters. */
const clean = (text: string, longest: number) => text.replace(/\p{Cc}/gu, " ").slice(0, longest)

const unreadable = (event: Event) =>
  Effect.logError(`event ${event.id} (${event.type}) cannot be decoded and is skipped`)

const reasonOf = (reason: string | undefined) => (reason === undefined ? undefined : clean(reason, maxReason))

const added = (event: Event) => {
  const data = decodeAdded(event.data)
  if (Result.isFailure(data)) return unreadable(event)
  const { until } = data.success
  const address = normalised(data.success.address)!
  const rule = clean(data.success.rule, maxRule)
  const reason = reasonOf(data.success.reason)
  return transaction(
    Effect.andThen(
      DecisionStore.putOwn({
        address,
        origin: clean(event.source, maxRule),
        rule,
        since: event.at,
        until,
        reason: reason ?? null,
        eventId: event.id
      }),
      AlertStore.add([
        { source: "own", key: String(event.id), kind: "ban", rule, address, at: event.at, until, reason }
      ])
    )
  )
}

const lifted = (event: Event) => {
  const data = decodeLifted(event.data)
  if (Result.isFailure(data)) return unreadable(event)
  const address = normalised(data.success.address)!
  return transaction(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [known] = yield* sql<{ rule: string }>`select rule from watchdog.decision
        where source = 'own' and key = ${address}`
      yield* DecisionStore.endOwn(address, event.at, event.id)
      const rule = known?.rule ?? "unknown"
      yield* AlertStore.add([{ source: "own", key: String(event.id), kind: "lift", rule, address, at: event.at }])
    })
  )
}

const exempted = (event: Event) => {
  const data = decodeExempted(event.data)
  if (Result.isFailure(data)) return unreadable(event)
  return AlertStore.add([
    {
      source: "own",
      key: String(event.id),
      kind: "exemption",
      rule: exemptionRule,
      address: normalised(data.success.address)!,
      at: event.at,
      until: data.success.until,
      reason: reasonOf(data.success.reason)
    }
  ])
}

const ended = (event: Event) => {
  const data = decodeEnded(event.data)
  if (Result.isFailure(data)) return unreadable(event)
  const address = normalised(data.success.address)!
  return AlertStore.add([
    { source: "own", key: String(event.id), kind: "exemption_end", rule: exemptionRule, address, at: event.at }
  ])
}

const handlers: Readonly<Record<string, typeof added | typeof lifted | typeof exempted>> = {
  [BanAdded.type]: added,
  [BanLifted.type]: lifted,
  [ExemptionAdded.type]: exempted,
  [ExemptionEnded.type]: ended
}

/** The consumer of the events. */
export const ownBans = {
  name: "watchdog.bans",
  pattern: ["security.ban.*", "security.exemption.*"],
  from: "beginning",
  handle: (event: Event) => handlers[event.type]?.(event) ?? Effect.void
} satisfies Consumer<unknown>
