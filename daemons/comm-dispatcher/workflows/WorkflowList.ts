/** All workflows for the API: the alarm workflow, and the workflows that events begin. Pure. */
import { Schema } from "effect"
import { spokenIn } from "#core/words/Sentences.ts"
import type { LanguageCode } from "#core/words/TextMemory.ts"
import { alarmWorkflow } from "../alarms/Exports.ts"
import type { Workflow } from "../runs/Exports.ts"
import "./WorkflowTexts.ts"

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
  counts: ReadonlyMap<string, Record<string, number>>,
  language: LanguageCode = "en"
): ReadonlyArray<WorkflowView> =>
  [alarmWorkflow, ...workflows].map(({ name, on, steps, title }) => ({
    name,
    title: spokenIn(language, title),
    pattern: on,
    steps: steps.map((step) => step.name),
    counts: counts.get(name) ?? {}
  }))
