/** Reads what became of a change of a domain's records, and waits for it. */
import { Clock, Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { inScope } from "#core/auth/Caller.ts"
import * as Domains from "../domain-store/Domains.ts"
import { isOpen, type Outcome, outcomeOf } from "./Outcome.ts"
import * as PlanStore from "./PlanStore.ts"
import * as ZoneChange from "./ZoneChange.ts"

/** Longest wait for a plan. Unit: seconds. Reason: reading a zone takes a second or two, and a user waits. */
const planWithin = 5

/** Interval of reading the outcome while a request waits. Unit: milliseconds. Reason: unnoticeable to a user. */
const lookEvery = Duration.millis(150)

/** The outcome of the domain's latest change. Runs in the surrounding transaction. */
export const outcomeFor = Effect.fnUntraced(function* (domainId: number) {
  const sql = yield* SqlClient.SqlClient
  yield* Domains.get(domainId)
  const [account] = yield* sql<{ type: string; has_credentials: boolean }>`select p.type,
      p.credentials is not null as has_credentials
    from dns_verifier.domain d join dns_verifier.dns_provider p on p.id = d.dns_provider_id where d.id = ${domainId}`
  const change = yield* ZoneChange.get(domainId)
  const applying = yield* sql`select 1 from dns_verifier.plan where domain_id = ${domainId} and state = 'applying'`
  const planId = change?.plan_id ?? null
  const plan = planId === null ? undefined : yield* PlanStore.get(domainId, planId)
  return outcomeOf({ account, change, plan, isApplying: applying.length > 0 })
})

/**
 * Waits until the change is planned, at most `planWithin`; with `wait`, until it is written, at most `wait` seconds.
 * The change is committed, so a failing database only makes the answer vaguer. Call outside transactions.
 */
export const awaitOutcome = Effect.fnUntraced(function* (domainId: number, wait: number) {
  const end = (yield* Clock.currentTimeMillis) + 1_000 * Math.max(wait, planWithin)
  while (true) {
    const found = yield* Effect.catchTag(inScope(outcomeFor(domainId)), ["SqlError", "NotFound"], () =>
      Effect.succeed(unknown)
    )
    const late = (yield* Clock.currentTimeMillis) >= end
    if (late || found === unknown || !isOpen(found, wait > 0)) return found
    yield* Effect.sleep(lookEvery)
  }
})

/** The database does not answer any more, or the domain was deleted meanwhile. */
const unknown: Outcome = { state: "queued", reason: "planning", detail: null, at: null, plan: undefined }
