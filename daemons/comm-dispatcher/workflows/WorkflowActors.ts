/** What works on workflows that events begin, for the daemon's declaration. */
import { Effect } from "effect"
import { DigestDue } from "./digest/Digest.ts"
import { digestWorker } from "./digest/DigestWorker.ts"
import { registryConsumer, WorkflowStep } from "./engine/EventConsumer.ts"
import type { EventWorkflow } from "./engine/EventWorkflow.ts"
import { type StepSettings, stepWorker } from "./engine/StepWorker.ts"

export const queues: ReadonlyArray<string> = [WorkflowStep.queue, DigestDue.queue]

export const actors = (workflows: ReadonlyArray<EventWorkflow>, settings: StepSettings) =>
  Effect.gen(function* () {
    return [yield* registryConsumer(workflows), yield* stepWorker(workflows, settings), yield* digestWorker(workflows)]
  })
