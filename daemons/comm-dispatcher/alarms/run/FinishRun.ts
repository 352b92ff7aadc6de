/** Finishes alarm runs: a run finishes when its last target has finished. */
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { AlarmFinished } from "#core/contracts/Alarm.ts"
import { Events } from "#core/events/Events.ts"
import { Ledger, type Step, StepPlan } from "../../runs/Exports.ts"
import { alarmWorkflow } from "../AlarmWorkflow.ts"
import { missedOf } from "./MissedTargets.ts"
import { countFinished } from "../AlarmMetrics.ts"
import { maskTargets } from "../subject/MaskTargets.ts"

/** A finished run, as its event describes it. */
export type Finished = typeof AlarmFinished.data.Type

/** State of a finished run. `malformed`: the run carried only the notice about its subject. */
export const endState = ({
  acknowledged,
  delivered,
  malformed,
  targets,
  uncertain
}: {
  readonly targets: number
  readonly delivered: number
  /** Targets that may have been reached. */
  readonly uncertain: number
  readonly malformed: boolean
  readonly acknowledged: boolean
}): Finished["state"] =>
  malformed
    ? "rejected"
    : delivered === targets
      ? "delivered"
      : acknowledged
        ? "acknowledged"
        : delivered > 0
          ? "partly_delivered"
          : uncertain > 0
            ? "uncertain"
            : "failed"

/** Whether an admin is told what the alarm did not reach. */
const isMissed = ({ state }: Finished): boolean =>
  state === "failed" || state === "partly_delivered" || state === "uncertain"

/**
 * Finishes the runs without open targets, each once, because their rows are locked first. Emits `alarm.finished` of
 * each. Returns the runs that finished.
 */
export const finishRuns = (
  runIds: ReadonlyArray<string>
): Effect.Effect<ReadonlyMap<string, Finished>, SqlError.SqlError, SqlClient.SqlClient | PgClient.PgClient | Events> =>
  Effect.gen(function* () {
    const finished = new Map<string, Finished>()
    if (runIds.length === 0) return finished
    const sql = yield* SqlClient.SqlClient
    const runs = new Map((yield* Ledger.lockOpen(runIds)).map((run) => [run.id, run]))
    // A separate statement: it sees what others committed while this one waited for the locks.
    const counts =
      runs.size === 0
        ? []
        : yield* sql<{ id: string; targets: number; delivered: number; uncertain: number }>`
      select run_id::text as id, count(distinct chain)::int as targets,
             count(distinct chain) filter (where state = 'delivered')::int as delivered,
             count(distinct chain) filter (where state = 'uncertain')::int as uncertain
        from comm_dispatcher.target where run_id = any(${[...runs.keys()]}::uuid[]) group by run_id
       having count(*) filter (where state in ('pending', 'attempting')
           or (state = 'uncertain' and due_at is not null)) = 0`
    const at = new Date().toISOString()
    const ended = counts.map(({ delivered, id, targets, uncertain }) => {
      const run = runs.get(id)!
      const state = endState({
        targets,
        delivered,
        uncertain,
        malformed: run.malformed,
        acknowledged: run.acknowledged
      })
      const mistake = run.malformed ? { mistake: maskTargets(run.reason ?? "") } : {}
      finished.set(id, { run_id: id, state, severity: run.severity, targets, delivered, ...mistake })
      return { id, state, steps: finishedSteps(run.steps, `${delivered} of ${targets} delivered`, at), reason: null }
    })
    yield* Ledger.record(ended)
    const missed = yield* missedOf([...finished.values()].filter(isMissed).map(({ run_id }) => run_id))
    for (const [id, detail] of missed) finished.set(id, { ...finished.get(id)!, ...detail })
    yield* tellFinished([...finished.values()].map((data) => ({ data, tenantId: runs.get(data.run_id)!.tenant_id })))
    return finished
  })

/** Finishes one run. Undefined: it is still open, or had finished before. */
export const finishRun = (runId: string) => Effect.map(finishRuns([runId]), (finished) => finished.get(runId))

/** Emits `alarm.finished` of runs, in the transaction that finishes them. */
export const tellFinished = (runs: ReadonlyArray<{ readonly data: Finished; readonly tenantId: number }>) =>
  Effect.flatMap(Events, (events) => {
    countFinished(runs.map(({ data }) => data))
    return events.emitAll(
      AlarmFinished,
      "comm-dispatcher",
      runs.map(({ data, tenantId }) => ({ data, audience: { tenantId } }))
    )
  })

/** The last target ends `comm.dispatch_actions`; `comm.log_result` is done with it. */
const finishedSteps = (steps: ReadonlyArray<Step>, detail: string, at: string) =>
  StepPlan.stop(alarmWorkflow, steps, { state: "done", detail }, at)
