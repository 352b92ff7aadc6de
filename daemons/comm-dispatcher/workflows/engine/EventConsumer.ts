/**
 * Reads the events of all workflows and begins their runs. A run and its first job are committed together, once per
 * workflow and event. An unreadable event makes a failed run; only a database outage stops the cursor.
 */
import type { PgClient } from "@effect/sql-pg"
import { Duration, Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { type Event, Events } from "#core/events/Events.ts"
import { define, Jobs } from "#core/jobs/Jobs.ts"
import { transaction } from "#core/sql/Sql.ts"
import { Ledger } from "../../runs/Exports.ts"
import type { EventWorkflow } from "./EventWorkflow.ts"
import { beginnings, runOf } from "./MatchEvent.ts"

export const consumerName = "comm-dispatcher.workflows"

/**
 * Interval of reads. Reason: notices may wait that long, and a storm of alarms wakes every reader hundreds of times a
 * second.
 */
const pace = Duration.millis(200)

/** One try of a run's current step. */
export const WorkflowStep = define("workflow.step", Schema.Struct({ run_id: Schema.String }))

export const registryConsumer = (workflows: ReadonlyArray<EventWorkflow>) =>
  Effect.gen(function* () {
    const events = yield* Events
    const jobs = yield* Jobs
    const handle = (event: Event) =>
      transaction(
        Effect.forEach(
          beginnings(workflows, event),
          (beginning) =>
            Effect.gen(function* () {
              if (beginning.failure !== undefined)
                yield* Effect.logError(
                  `workflow ${beginning.workflow.name} failed at event ${event.id} (${event.type}): ` +
                    `${beginning.failure}`
                )
              const run = runOf(beginning, event, new Date().toISOString())
              const begun = (yield* Ledger.begin(run)) !== undefined
              if (begun && run.state === "running") yield* jobs.send(WorkflowStep, [{ data: { run_id: beginning.id } }])
            }),
          { discard: true }
        )
      )
    return events.consumer<SqlClient.SqlClient | PgClient.PgClient>({
      name: consumerName,
      pattern: workflows.map(({ on }) => on),
      pace,
      // Evaluated for every event: most begin nothing and need no statement.
      wants: (event) => beginnings(workflows, event).length > 0,
      handle
    })
  })
