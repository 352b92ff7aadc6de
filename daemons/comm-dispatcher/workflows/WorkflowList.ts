/** All workflows for the API: the alarm workflow, and the workflows that events begin. Pure. */
import { Schema } from "effect"
import { alarmWorkflow } from "../alarms/Exports.ts"
import type { Workflow } from "../runs/Exports.ts"

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

export const workflowList = (
  workflows: ReadonlyArray<Workflow>,
  counts: ReadonlyMap<string, Record<string, number>>
): ReadonlyArray<WorkflowView> =>
  [alarmWorkflow, ...workflows].map(({ name, on, steps, title }) => ({
    name,
    title,
    pattern: on,
    steps: steps.map((step) => step.name),
    counts: counts.get(name) ?? {}
  }))
