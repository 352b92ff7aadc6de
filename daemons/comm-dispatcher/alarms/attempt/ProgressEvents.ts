/** Tells of an alarm's attempts as they begin and end (`alarm.progress`), with the transaction that records them. */
import { Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import { AlarmProgress } from "#core/contracts/Alarm.ts"
import { Events } from "#core/events/Events.ts"
import type * as RetryPlan from "./RetryPlan.ts"
import type { TargetRow } from "./TargetRow.ts"

const source = "comm-dispatcher"

/** One attempt, and what its target is by it. */
export interface Progressed {
  readonly row: Pick<TargetRow, "run_id" | "tenant_id" | "position">
  readonly record: Pick<RetryPlan.Target, "state" | "begun">
  readonly attempt: (typeof AlarmProgress.data.Type)["attempt_state"]
}

/** All of them in one statement. */
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
 * The same as parts of the statement that begins first attempts at the targets `t`: a transaction of its own would cost more than they do.
 * `told` inserts, `rung` is to be selected. Not of webhooks: they end within milliseconds, in storms of hundreds a second, and are told of then.
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
      rung: sql`case when exists (select 1 from t where t.channel <> 'webhook') then (${announcement}) is null end as rung`
    })
  )
