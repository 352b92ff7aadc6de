/** Event workflows as users of `runs`: read events, work on steps, send digests. */
import { Effect } from "effect"
import { Supervisor } from "#core/supervision/Supervisor.ts"
import { DigestDue } from "../digest/Digest.ts"
import { digestWorker } from "../digest/DigestWorker.ts"
import { registryConsumer, WorkflowStep } from "./EventConsumer.ts"
import type { EventWorkflow } from "./EventWorkflow.ts"
import { type StepSettings, stepWorker } from "./StepWorker.ts"

export const engineQueues = [WorkflowStep, DigestDue] as const

/** Registers the actors and workers of these workflows. */
export const workflowEngine = (workflows: ReadonlyArray<EventWorkflow>, settings: StepSettings) =>
  Effect.gen(function* () {
    yield* Supervisor.actor(yield* registryConsumer(workflows))
    yield* stepWorker(workflows, settings)
    yield* digestWorker(workflows)
  })
