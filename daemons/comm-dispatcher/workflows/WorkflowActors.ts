/** What works on workflows that events begin, for the daemon's declaration. */
import { Effect } from "effect"
import { DigestDue } from "./Digest.ts"
import { digestWorker } from "./DigestWorker.ts"
import { registryConsumer, WorkflowStep } from "./EventRegistry.ts"
import type { EventWorkflow } from "./EventWorkflow.ts"
import { type StepSettings, stepWorker } from "./StepWorker.ts"

export const queues: ReadonlyArray<string> = [WorkflowStep.queue, DigestDue.queue]

export const actors = (workflows: ReadonlyArray<EventWorkflow>, settings: StepSettings) =>
  Effect.gen(function* () {
    return [yield* registryConsumer(workflows), yield* stepWorker(workflows, settings), yield* digestWorker(workflows)]
  })
