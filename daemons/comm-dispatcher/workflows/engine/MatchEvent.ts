/** Decides which workflows an event begins. Pure: the same event always gives the same runs. */
import { Exit, Schema } from "effect"
import { type Event, matches } from "#core/events/Events.ts"
import { type NewRun, runIdOf, type RunSource, StepPlan } from "../../runs/Exports.ts"
import { maxReasonLength, maxSubjectLength, storable } from "../../vocabulary/Exports.ts"
import { type EventWorkflow, type Happened, tenantOf } from "./EventWorkflow.ts"

/** A run to begin. */
export interface Beginning {
  readonly id: string
  /** Unique in the ledger. */
  readonly triggerKey: string
  readonly workflow: EventWorkflow
  readonly tenantId: number
  readonly subject: string
  /** Why the run fails before its first step: the workflow cannot read the event. */
  readonly failure: string | undefined
}

/**
 * The runs that an event begins. Never throws: an unreadable event makes a failed run and does not stop the consumer.
 * `occurrence`: identity of the event in the trigger keys. Default: its id.
 */
export const beginnings = (
  workflows: ReadonlyArray<EventWorkflow>,
  event: Event,
  occurrence: string = String(event.id)
): ReadonlyArray<Beginning> =>
  workflows
    .filter(({ on }) => matches(on, event.type))
    .flatMap((workflow): ReadonlyArray<Beginning> => {
      const triggerKey = `workflow:${workflow.name}:${occurrence}`
      const run = { id: runIdOf(triggerKey), triggerKey, workflow, tenantId: tenantOf(event) }
      const read = happened(workflow, event)
      if (typeof read === "string") return [{ ...run, subject: event.type, failure: read }]
      const judged = trying(() => (workflow.when?.(read) === false ? undefined : workflow.subject(read)))
      if (judged._tag === "Threw") return [{ ...run, subject: event.type, failure: judged.reason }]
      return judged.value === undefined
        ? []
        : [{ ...run, subject: storable(judged.value, maxSubjectLength), failure: undefined }]
    })

/** The run of a beginning in the ledger: at its first step, or failed before it. */
export const runOf = (
  { failure, subject, tenantId, triggerKey, workflow }: Beginning,
  event: Event,
  at: string,
  source: RunSource = { kind: "event", event_id: String(event.id) }
): NewRun => ({
  workflow: workflow.name,
  trigger: {
    key: triggerKey,
    tenantId,
    eventType: event.type,
    subject,
    body: "",
    sender: event.source,
    source,
    receivedAt: event.at,
    event
  },
  mode: "sequential",
  ...(failure === undefined
    ? { state: "running", reason: null, steps: StepPlan.begun(workflow, at) }
    : { state: "failed", reason: failure, steps: StepPlan.skipped(workflow, at) })
})

/** The event with decoded data, or a text why decoding failed. */
export const happened = ({ data }: EventWorkflow, event: Event): Happened | string => {
  const decoded = Schema.decodeUnknownExit(data)(event.data)
  return Exit.isSuccess(decoded)
    ? { ...event, data: decoded.value }
    : storable(`the event's data does not match the contract: ${messageOf(decoded.cause)}`, maxReasonLength)
}

const messageOf = (cause: { readonly reasons: ReadonlyArray<unknown> }): string => {
  const [reason] = cause.reasons as ReadonlyArray<{ readonly error?: { readonly message?: string } }>
  return reason?.error?.message ?? "it cannot be read"
}

const trying = <A>(ask: () => A) => {
  try {
    return { _tag: "Answered" as const, value: ask() }
  } catch (error) {
    return {
      _tag: "Threw" as const,
      reason: storable(
        `the workflow failed on this event: ${error instanceof Error ? error.message : String(error)}`,
        maxReasonLength
      )
    }
  }
}
