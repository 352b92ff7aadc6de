/** Finishes runs, the last step `comm.log_result` of an alarm: a run finishes when its last target has finished. */
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import type { AlarmFinished } from "#core/contracts/Alarm.ts"
import type { Step } from "../ledger/Ledger.ts"

/** A finished run, as its event describes it. */
export type Finished = typeof AlarmFinished.data.Type

/** State of a finished run. `malformed`: the run carried only the notice about its subject. */
export const endState = ({
  acknowledged,
  delivered,
  malformed,
  targets
}: {
  readonly targets: number
  readonly delivered: number
  readonly malformed: boolean
  readonly acknowledged: boolean
}): Finished["state"] =>
  malformed
    ? "rejected"
    : delivered === targets
      ? "delivered"
      : acknowledged
        ? "acknowledged"
        : delivered === 0
          ? "failed"
          : "partly_delivered"

/**
 * Finishes the runs without open targets, each once, because their rows are locked first. Returns the runs that
 * finished.
 */
export const finishRuns = (
  runIds: ReadonlyArray<string>
): Effect.Effect<ReadonlyMap<string, Finished>, SqlError.SqlError, SqlClient.SqlClient | PgClient.PgClient> =>
  Effect.gen(function* () {
    const finished = new Map<string, Finished>()
    if (runIds.length === 0) return finished
    const sql = yield* SqlClient.SqlClient
    // The lock order is the same everywhere, so that two transactions wait and do not deadlock.
    const runs = yield* sql<RunRow>`
      select id::text as id, severity, steps, malformed, acknowledged_at is not null as acknowledged
        from comm_dispatcher.run where id = any(${runIds}::uuid[]) and finished_at is null order by id for update`
    // A separate statement: it sees what others committed while this one waited for the locks.
    const counts =
      runs.length === 0
        ? []
        : yield* sql<{ id: string; targets: number; delivered: number }>`
      select run_id::text as id, count(distinct chain)::int as targets,
             count(distinct chain) filter (where state = 'delivered')::int as delivered
        from comm_dispatcher.target where run_id = any(${runs.map(({ id }) => id)}::uuid[]) group by run_id
       having count(*) filter (where state in ('pending', 'attempting', 'uncertain')) = 0`
    const at = new Date().toISOString()
    const ended: Array<{ readonly id: string; readonly state: string; readonly steps: string }> = []
    for (const { delivered, id, targets } of counts) {
      const run = runs.find((one) => one.id === id)!
      const state = endState({ targets, delivered, malformed: run.malformed, acknowledged: run.acknowledged })
      const steps: ReadonlyArray<Step> = [
        ...run.steps.filter((step) => step.name === "email.parse_subject"),
        { name: "comm.dispatch_actions", state: "done", detail: `${delivered} of ${targets} delivered`, at },
        { name: "comm.log_result", state: "done", at }
      ]
      ended.push({ id, state, steps: JSON.stringify(steps) })
      finished.set(id, { run_id: id, state, severity: run.severity, targets, delivered })
    }
    if (ended.length > 0) {
      yield* sql`update comm_dispatcher.run r set state = n.state, steps = n.steps::jsonb, finished_at = now()
        from unnest(${ended.map(({ id }) => id)}::uuid[], ${ended.map(({ state }) => state)}::text[],
          ${ended.map(({ steps }) => steps)}::text[])
          as n (id, state, steps) where r.id = n.id`
    }
    return finished
  })

/** Finishes one run. Undefined: it is still open, or had finished before. */
export const finishRun = (runId: string) => Effect.map(finishRuns([runId]), (finished) => finished.get(runId))

interface RunRow {
  readonly id: string
  readonly severity: string | null
  readonly steps: ReadonlyArray<Step>
  readonly malformed: boolean
  readonly acknowledged: boolean
}
