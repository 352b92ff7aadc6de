/**
 * Changes of a domain's desired records and up to which of them the zone is planned. Runs in the surrounding
 * transaction. `requestPlan` counts the changes.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { RecordSet } from "../record-sets/RecordSet.ts"

/** Why a change has no plan yet; `provider_refused` is not repeated by itself. */
export type Delay = "provider_unreachable" | "rate_limited" | "provider_refused"

export interface ZoneChange {
  readonly requested: number
  readonly attempted: number
  readonly planned: number
  readonly plan_id: string | null
  readonly reason: Delay | null
  readonly problem: string | null
  readonly retry_at: Date | null
}

/** Undefined: nothing was requested since the domain has an account. */
export const get = Effect.fnUntraced(function* (domainId: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<ZoneChange>`select requested, attempted, planned, plan_id, reason, problem, retry_at
    from dns_verifier.zone_change where domain_id = ${domainId}`
  return row
})

/** Reads and locks the row, so that no change is counted until the transaction ends. */
export const held = Effect.fnUntraced(function* (domainId: number) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`select 1 from dns_verifier.zone_change where domain_id = ${domainId} for update`
  return yield* get(domainId)
})

/** Whether a change has no plan yet. Pure. */
export const isPending = (change: ZoneChange | undefined): boolean =>
  change === undefined || change.planned < change.requested

/** Records that the changes up to `requested` are planned. `planId` null: the zone needs no change. */
export const planned = (domainId: number, requested: number, planId: string | null) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`update dns_verifier.zone_change set attempted = ${requested}, planned = ${requested},
      plan_id = ${planId}, reason = null, problem = null, retry_at = null where domain_id = ${domainId}`
  )

/** Records why no plan was made for the current changes. `retryAt` null: planning is not repeated. */
export const postponed = (domainId: number, reason: Delay, problem: string, retryAt: Date | null) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`update dns_verifier.zone_change set attempted = requested, reason = ${reason}, problem = ${problem},
      retry_at = ${retryAt} where domain_id = ${domainId}`
  )

/**
 * The zone as read for a plan that does not apply itself before the end of `window`; undefined when there is none that
 * recent. Reason: a burst of changes reads the zone once, and applying compares it again. Unit: milliseconds.
 */
export const recentReading = Effect.fnUntraced(function* (domainId: number, window: number) {
  const sql = yield* SqlClient.SqlClient
  const [found] = yield* sql<{ sets: ReadonlyArray<RecordSet>; all: number }>`select r.sets, p.zone_sets as all
    from dns_verifier.plan p join dns_verifier.zone_reading r on r.domain_id = p.domain_id
    where p.domain_id = ${domainId} and p.state = 'planned' and p.apply_after is not null
      and r.read_at > now() - ${window} * interval '1 millisecond'
    order by p.seq desc limit 1`
  return found
})
