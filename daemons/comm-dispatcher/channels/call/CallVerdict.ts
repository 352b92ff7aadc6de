/**
 * Turns the end of a call into an outcome. Pure. The text keeps the switch's cause, so that the ledger shows the
 * network's answer.
 */
import { type CauseKind, describeCause } from "#protocols/event-socket/HangupCause.ts"
import type { Outcome } from "../Outcome.ts"
import { type CallProgress, heardToTheEnd, type Measure, playedMs } from "./CallProgress.ts"

/** Part of the reason of a call whose audio the switch could not read. */
const unreadable = "the switch could not read the audio"

/** Whether a call failed for this reason, so that its file is not tried again. */
export const isUnreadable = (reason: string | null | undefined): boolean => reason?.includes(unreadable) === true

/** Hang-up cause of a call that we ended after its planned length. Source: a real switch, after `sched_hangup`. */
const ownLimit = "ALLOTTED_TIMEOUT"

/** The key that acknowledges. */
export const acknowledgingKey = "1"

/** The called number, the planned lengths and options that the verdict uses. */
export interface VerdictPlan extends Measure {
  readonly number: string
  /** Whether the callee was offered to acknowledge. */
  readonly acknowledgement: boolean
}

/** Whether the callee has acknowledged so far. */
export const isAcknowledged = (progress: CallProgress, plan: Pick<VerdictPlan, "acknowledgement">): boolean =>
  plan.acknowledgement && progress.answered && progress.digits.has(acknowledgingKey)

/** The outcome so far. For a call that is not over: unknown. */
export const verdict = (progress: CallProgress, plan: VerdictPlan): Outcome => {
  const measure = progress.carried ?? plan
  const total = measure.repeat * measure.messageMs
  if (isAcknowledged(progress, plan)) {
    return {
      _tag: "Delivered",
      detail: `acknowledged by key ${acknowledgingKey} on ${plan.number}`,
      acknowledged: `key ${acknowledgingKey} on ${plan.number}`
    }
  }
  const cause = progress.job?.cause ?? progress.hangupCause
  if (progress.job?.cause !== undefined) return unanswered(progress.job.cause, progress.created)
  if (!progress.ended) return { _tag: "Retryable", reason: "the call's end is not known", reached: "perhaps" }
  if (!progress.answered) return cause === undefined ? vanished : unanswered(cause, progress.created)
  const named = cause === undefined ? "" : ` (${cause})`
  if (heardToTheEnd(progress, measure))
    return { _tag: "Delivered", detail: `heard to the end, ${seconds(total)} s${named}` }
  const played = playedMs(progress, measure)
  if (progress.fileNotFound && played < total) {
    return {
      _tag: "Retryable",
      reason: `answered, but ${unreadable} (FILE NOT FOUND) after ${seconds(played)} of ` + `${seconds(total)} s`,
      reached: "yes"
    }
  }
  return {
    _tag: "Retryable",
    reason:
      cause === ownLimit
        ? `ended by our limit of its length after ${seconds(played)} of ${seconds(total)} s${named}`
        : `hung up after ${seconds(played)} of ${seconds(total)} s${named}`,
    reached: "yes"
  }
}

const vanished: Outcome = { _tag: "Retryable", reason: "the call ended without a cause", reached: "perhaps" }

const seconds = (ms: number): string => (ms / 1_000).toFixed(1)

/**
 * Hang-up causes on our side: the gateway is down, the switch is paused, full, or has no route. While a trunk is
 * changed, its gateway is missing for some seconds.
 */
const ownSide = new Set([
  "GATEWAY_DOWN",
  "INVALID_GATEWAY",
  "DESTINATION_OUT_OF_ORDER",
  "SWITCH_CONGESTION",
  "NETWORK_OUT_OF_ORDER",
  "SERVICE_UNAVAILABLE"
])

const words: Readonly<Record<CauseKind, string>> = {
  busy: "busy",
  unanswered: "not answered",
  refused: "refused",
  bad_number: "the number cannot be reached",
  offline: "offline",
  transport: "not connected",
  configuration: "the switch is not set up for this call",
  normal: "ended before it was answered",
  unknown: "not connected"
}

/** Outcome of a call that nobody answered. `created`: the switch tried it, so the failure is not on our side. */
const unanswered = (cause: string, created: boolean): Outcome => {
  if (!created && ownSide.has(cause)) {
    const side =
      cause === "GATEWAY_DOWN"
        ? "the gateway is down"
        : cause === "INVALID_GATEWAY"
          ? "the switch has no such gateway now"
          : "the switch takes no call"
    return { _tag: "Retryable", reason: `${side} (${cause})`, reached: "no", fault: "channel" }
  }
  const { kind, retryable } = describeCause(cause)
  const reason = `${words[kind]} (${cause})`
  if (retryable) return { _tag: "Retryable", reason, reached: "yes" }
  // A missing common codec concerns one callee; a gateway that does not exist concerns every call.
  return kind === "configuration" && !created
    ? { _tag: "Permanent", reason, fault: "channel" }
    : { _tag: "Permanent", reason }
}
