/** All workflows for the API: the alarm workflow, and the workflows that events begin. Pure. */
import { Schema } from "effect"
import { alarmReceived } from "#core/contracts/Alarm.ts"
import { alarmWorkflow } from "../alarms/Exports.ts"
import type { EventWorkflow } from "./engine/EventWorkflow.ts"

export const WorkflowView = Schema.Struct({
  name: Schema.String,
  title: Schema.String,
  /** Pattern of the event types that begin it. */
  pattern: Schema.String,
  steps: Schema.Array(Schema.String),
  /** Runs begun within the last 24 hours, by state. */
  counts: Schema.Record(Schema.String, Schema.Int)
}).annotate({ identifier: "Workflow" })
export type WorkflowView = typeof WorkflowView.Type

/** Source of the steps: interface document 1 §3. */
const alarm = {
  name: alarmWorkflow,
  title: "Serve every target that an alarm or a direct request names",
  pattern: alarmReceived,
  steps: ["email.parse_subject", "comm.dispatch_actions", "comm.log_result"]
}

export const workflowList = (
  workflows: ReadonlyArray<EventWorkflow>,
  counts: ReadonlyMap<string, Record<string, number>>
): ReadonlyArray<WorkflowView> =>
  [
    alarm,
    ...workflows.map(({ name, on, steps, title }) => ({
      name,
      title,
      pattern: on,
      steps: steps.map((step) => step.name)
    }))
  ].map((workflow) => ({ ...workflow, counts: counts.get(workflow.name) ?? {} }))
