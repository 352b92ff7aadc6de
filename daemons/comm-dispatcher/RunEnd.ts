/**
 * The workflow's last step, `comm.log_result`: when the last target of a run has come to its end, the run gets its own.
 */
import { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import type { AlarmFinished } from "#core/contracts/Alarm.ts"
import type { Step } from "./Ledger.ts"

/** What is told of the end, in the words of the event. */
export type Finished = typeof AlarmFinished.data.Type

/** The whole from its parts. `malformed`: it carried only the notice of a subject that was not understood. */
export const endState = (
  { acknowledged, delivered, malformed, targets }: {
    readonly targets: number
    readonly delivered: number
    readonly malformed: boolean
    readonly acknowledged: boolean
  }
): Finished["state"] =>
  malformed
    ? "rejected"
    : delivered === targets
    ? "delivered"
    : acknowledged
    ? "acknowledged"
    : delivered === 0
    ? "failed"
    : "partly_delivered"

/** Ends the run if nothing of it is open; once, because the run's row is locked first. Undefined: not yet, or before. */
export const finishRun = (
  runId: string
): Effect.Effect<Finished | undefined, SqlError.SqlError, SqlClient.SqlClient | PgClient.PgClient> =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const pg = yield* PgClient.PgClient
    const [run] = yield* sql<{
      severity: string | null
      steps: ReadonlyArray<Step>
      malformed: boolean
      acknowledged: boolean
      finished_at: Date | null
    }>`select severity, steps, malformed, acknowledged_at is not null as acknowledged, finished_at
      from comm_dispatcher.run where id = ${runId}::uuid for update`
    if (run === undefined || run.finished_at !== null) return undefined
    const [count] = yield* sql<{ targets: number; delivered: number; open: number }>`
      select count(distinct chain)::int as targets, count(distinct chain) filter (where state = 'delivered')::int as delivered,
             count(*) filter (where state in ('pending', 'attempting', 'uncertain'))::int as open
        from comm_dispatcher.target where run_id = ${runId}::uuid`
    const { targets, delivered, open } = count!
    if (open > 0) return undefined
    const state = endState({ targets, delivered, malformed: run.malformed, acknowledged: run.acknowledged })
    const at = new Date().toISOString()
    const steps: ReadonlyArray<Step> = [
      ...run.steps.filter((step) => step.name === "email.parse_subject"),
      { name: "comm.dispatch_actions", state: "done", detail: `${delivered} of ${targets} delivered`, at },
      { name: "comm.log_result", state: "done", at }
    ]
    yield* sql`update comm_dispatcher.run set state = ${state}, steps = ${pg.json(steps)}, finished_at = now()
      where id = ${runId}::uuid`
    return { run_id: runId, state, severity: run.severity, targets, delivered }
  })
