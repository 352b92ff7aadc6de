/**
 * Reads every event and begins the runs of the workflows that ask for it: each run with its first job in one transaction, one for each
 * workflow and event however often the event is read. What cannot be read makes a run that failed; only the database holds the cursor up.
 */
import { PgClient } from "@effect/sql-pg"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { type Event, Events } from "#core/Events.ts"
import { define, Jobs } from "#core/Jobs.ts"
import { transaction } from "#core/Sql.ts"
import * as EventRuns from "./EventRuns.ts"
import type { EventWorkflow } from "./EventWorkflow.ts"
import { beginnings, isWanted } from "./Matching.ts"

export const consumerName = "comm-dispatcher.workflows"

/** One try at the current step of a run. */
export const WorkflowStep = define("workflow.step", Schema.Struct({ run_id: Schema.String }))

export const registryConsumer = (workflows: ReadonlyArray<EventWorkflow>) =>
  Effect.gen(function*() {
    const events = yield* Events
    const jobs = yield* Jobs
    const handle = (event: Event) =>
      transaction(Effect.forEach(beginnings(workflows, event), (beginning) =>
        Effect.gen(function*() {
          if (beginning.failure !== undefined) yield* Effect.logError(`workflow ${beginning.workflow.name} failed at event ${event.id} (${event.type}): ${beginning.failure}`)
          if (yield* EventRuns.insert(beginning, event)) yield* jobs.send(WorkflowStep, [{ data: { run_id: beginning.id } }])
        }), { discard: true }))
    return events.consumer<SqlClient.SqlClient | PgClient.PgClient>({
      name: consumerName,
      pattern: "*",
      wants: ({ type }) => isWanted(workflows, type),
      handle
    })
  })
