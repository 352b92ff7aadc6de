/** Definition of a workflow, and the states of its runs, steps and targets in the ledger. */
import { Schema } from "effect"

export const RunState = Schema.Literals([
  "running",
  /** Every step of an event's run is done. */
  "done",
  "delivered",
  "partly_delivered",
  "failed",
  /** No target is known to be reached, but one may have been: an attempt was sent and not answered. */
  "uncertain",
  /** Acknowledged before every target was reached. */
  "acknowledged",
  "rejected",
  "duplicate",
  /** A reply mail that acknowledged another run. */
  "acknowledgement"
])
export type RunState = typeof RunState.Type

export const TargetState = Schema.Literals(["pending", "attempting", "delivered", "failed", "uncertain", "suppressed"])
export type TargetState = typeof TargetState.Type

export const Step = Schema.Struct({
  /**
   * Alarms: `email.parse_subject`, `comm.dispatch_actions`, `comm.log_result`. Other runs: the step names of their
   * workflow.
   */
  name: Schema.String,
  state: Schema.Literals(["done", "running", "failed", "skipped"]),
  detail: Schema.optionalKey(Schema.String),
  /** Number of tries; absent when 1. */
  tries: Schema.optionalKey(Schema.Int),
  /** Time of the last state change. */
  at: Schema.String
})
export type Step = typeof Step.Type

export interface StepDefinition {
  /** Name in the API: `notify.admins`. Unique within the workflow. */
  readonly name: string
  /** The step is done even if an earlier step has ended the run. Default: the step is skipped then. */
  readonly always?: boolean
}

export interface Workflow {
  /** Permanent name: runs in the ledger refer to it. */
  readonly name: string
  readonly title: string
  /** Types of the events that begin a run: `*`, a type, or a prefix such as `order.*`. */
  readonly on: string
  /** In the order in which they run. */
  readonly steps: readonly [StepDefinition, ...ReadonlyArray<StepDefinition>]
}

/** Name of the workflow of alarms and direct requests. Source: interface document 1 §3. */
export const alarmName = "alarm"
