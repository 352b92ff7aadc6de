/** Emits `alarm.progress` when an attempt begins or ends, in the transaction that records it. */
import { Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import { AlarmProgress } from "#core/contracts/Alarm.ts"
import { Events } from "#core/events/Events.ts"
import type * as RetryPlan from "./RetryPlan.ts"
import type { TargetRow } from "./TargetRow.ts"

const source = "comm-dispatcher"

/** An attempt and the resulting state of its target. */
export interface Progressed {
  readonly row: Pick<TargetRow, "run_id" | "tenant_id" | "position">
  readonly record: Pick<RetryPlan.Target, "state" | "begun">
  readonly attempt: (typeof AlarmProgress.data.Type)["attempt_state"]
}

/** Emits all of them in one statement. */
export const tell = (progressed: ReadonlyArray<Progressed>): Effect.Effect<void, SqlError.SqlError, Events> =>
  Effect.flatMap(Events, ({ emitAll }) =>
    emitAll(
      AlarmProgress,
      source,
      progressed.map(({ attempt, record, row }) => ({
        data: {
          run_id: row.run_id,
          position: row.position,
          target_state: record.state,
          attempt: record.begun,
          attempt_state: attempt
        },
        audience: { tenantId: row.tenant_id }
      }))
    )
  )

/**
 * Emits the progress of first attempts as parts of the statement that claims the targets `t`; a separate statement
 * would cost more than the claim. `told` inserts the events, `rung` must be selected. Webhooks are excluded: they end
 * within milliseconds, and their end is emitted.
 */
export const tellingFirst = (sql: SqlClient.SqlClient) =>
  Effect.map(
    Events,
    ({ announcement, emitting }): { readonly told: Statement.Fragment; readonly rung: Statement.Fragment } => ({
      told: emitting(
        AlarmProgress.type,
        source,
        sql`select t.tenant_id, null::int as user_id, jsonb_build_object('run_id', t.run_id, 'position', t.position,
      'target_state', t.state, 'attempt', 1, 'attempt_state', 'attempting') as data from t where t.channel <> 'webhook'`
      ),
      rung: sql`case when exists (select 1 from t where t.channel <> 'webhook') then (${announcement}) is null
        end as rung`
    })
  )
