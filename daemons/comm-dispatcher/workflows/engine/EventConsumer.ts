/**
 * Reads every event that a workflow asks for, whoever emitted it, and begins its runs: each run with its first job in one transaction, one for each
 * workflow and event however often the event is read. What cannot be read makes a run that failed; only the database holds the cursor up.
 */
import type { PgClient } from "@effect/sql-pg"
import { Duration, Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { type Event, Events } from "#core/events/Events.ts"
import { define, Jobs } from "#core/jobs/Jobs.ts"
import { transaction } from "#core/sql/Sql.ts"
import * as EventRuns from "./EventRuns.ts"
import type { EventWorkflow } from "./EventWorkflow.ts"
import { beginnings } from "./MatchEvent.ts"

export const consumerName = "comm-dispatcher.workflows"

/** Between two looks for events. Reason: nobody misses a notice for so long, and a storm of alarms wakes every reader hundreds of times a second. */
const pace = Duration.millis(200)

/** One try at the current step of a run. */
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
                  `workflow ${beginning.workflow.name} failed at event ${event.id} (${event.type}): ${beginning.failure}`
                )
              if (yield* EventRuns.insert(beginning, event))
                yield* jobs.send(WorkflowStep, [{ data: { run_id: beginning.id } }])
            }),
          { discard: true }
        )
      )
    return events.consumer<SqlClient.SqlClient | PgClient.PgClient>({
      name: consumerName,
      pattern: workflows.map(({ on }) => on),
      pace,
      // Asked of every event: most begin nothing, and cost no statement.
      wants: (event) => beginnings(workflows, event).length > 0,
      handle
    })
  })
