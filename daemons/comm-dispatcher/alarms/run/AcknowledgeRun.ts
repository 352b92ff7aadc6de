/**
 * Acknowledges a run: a person has taken the alarm on. Retries, fallbacks and calls that have not begun are suppressed.
 * A message or webhook that was never tried is still sent, because it disturbs nobody. An attempt under way ends by
 * itself; RecordOutcome then suppresses its repeat.
 */
import type { PgClient } from "@effect/sql-pg"
import { Effect, Option } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { AlarmAcknowledged } from "#core/contracts/Alarm.ts"
import { Events } from "#core/events/Events.ts"
import { Ledger, type RunState } from "../../runs/Exports.ts"
import { alarmWorkflow } from "../AlarmWorkflow.ts"
import * as RetryPlan from "../attempt/RetryPlan.ts"
import { type Finished, finishRun } from "./FinishRun.ts"

export interface Acknowledged {
  readonly id: string
  readonly tenant_id: number
  /** True for the first acknowledgement of the run. */
  readonly first: boolean
  readonly state: RunState
  readonly acknowledged_at: string
  /** The first who acknowledged. */
  readonly acknowledged_by: string
  /** Number of targets that this call suppressed. */
  readonly suppressed: number
  /** The finished run, when this call finished it. The caller writes it to the result cache after the commit. */
  readonly finished: Finished | undefined
}

/** Reason of a suppressed target. */
export const acknowledgedReason = (by: string): string => `acknowledged by ${by}`

/** Acknowledges a run in the caller's transaction. A repeated call changes nothing. None: no such alarm is in scope. */
export const acknowledgeRun = (
  runId: string,
  by: string
): Effect.Effect<Option.Option<Acknowledged>, SqlError.SqlError, SqlClient.SqlClient | PgClient.PgClient | Events> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    // Locks targets before their run, in the same order as the end of an attempt does. Runs again afterwards: an
    // attempt that read the run before the update may have left a target waiting.
    const before = yield* stop(runId, by)
    const run = yield* Ledger.acknowledge(runId, alarmWorkflow.name, by)
    if (run === undefined) return Option.none()
    const suppressed = before + (yield* stop(runId, by))
    const events = yield* Events
    if (run.first)
      yield* events.emit(
        AlarmAcknowledged,
        "comm-dispatcher",
        { run_id: runId, by, suppressed },
        { tenantId: run.tenant_id }
      )
    const finished = yield* finishRun(runId)
    const [{ state }] = (yield* sql`select state from comm_dispatcher.run where id = ${runId}::uuid`) as [
      { state: RunState }
    ]
    return Option.some({
      id: runId,
      tenant_id: run.tenant_id,
      first: run.first,
      state,
      acknowledged_at: run.at,
      acknowledged_by: run.by,
      suppressed,
      finished
    })
  })

const stop = Effect.fnUntraced(function* (runId: string, by: string) {
  const sql = yield* SqlClient.SqlClient
  const open = yield* sql<{
    id: number
    record: RetryPlan.Target
  }>`select id::float8 as id, record from comm_dispatcher.target
    where run_id = ${runId}::uuid and (state = 'pending' or (state = 'uncertain' and due_at is not null))
      and ((record->>'begun')::int > 0 or channel = 'call' or step > 0)
    order by position for update`
  if (open.length === 0) return 0
  const records = open.map(({ record }) => JSON.stringify(RetryPlan.suppress(record, acknowledgedReason(by))))
  yield* sql`update comm_dispatcher.target t set state = 'suppressed', due_at = null, record = n.record::jsonb,
    updated_at = now()
    from unnest(${open.map(({ id }) => id)}::float8[], ${records}::text[]) as n (id, record) where t.id = n.id::bigint`
  return open.length
})
