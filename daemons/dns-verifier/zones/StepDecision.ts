/** Decides about a step from the current record set, and about the retry after a provider error. Pure. */
import { sameContents, without } from "../record-sets/CanonicalContent.ts"
import type { StepRow } from "./PlanStore.ts"
import type { RecordSet } from "../record-sets/RecordSet.ts"
import type { ProviderError } from "../providers/Exports.ts"

/**
 * Maximum number of write attempts for one set. Reason: after four failures over some minutes someone has to fix the
 * cause.
 */
export const maxAttempts = 4

/**
 * Most consecutive failed reads of a zone. Reason: about half an hour with the pauses below, longer than most
 * maintenance windows.
 */
export const maxReads = 10

/**
 * Pause before automatic planning is repeated after a long outage. Unit: minutes. Reason: a provider that is away for
 * good costs one call per domain and hour.
 */
export const longRetry = 60

/**
 * Longest duration of a plan with its pauses. Unit: minutes. Reason: a half-written zone must be reported within a
 * working day; rate limits reset within an hour.
 */
export const maxDuration = 120

export type Decision =
  | { readonly _tag: "Done" }
  | { readonly _tag: "Write" }
  /** `changed`: someone else changed the set. */
  | { readonly _tag: "Fail"; readonly problem: string; readonly changed: boolean }

export const decide = (
  step: Pick<StepRow, "type" | "name" | "ttl" | "before" | "after" | "state" | "attempts" | "problem">,
  there: RecordSet | undefined
): Decision => {
  const { after, attempts, before, name, problem, state, ttl, type } = step
  const now = there?.contents ?? []
  const is = (contents: ReadonlyArray<string> | null) =>
    (contents === null) === (there === undefined) && sameContents(type, now, contents ?? [])
  const changesTtlOnly = before !== null && after !== null && sameContents(type, before, after)
  if (is(after) && (!changesTtlOnly || there?.ttl === ttl)) return { _tag: "Done" }
  // A provider that writes single records can leave a set half written. It is still ours if it holds nothing foreign.
  const halfway = state === "attempting" && without(type, now, [...(before ?? []), ...(after ?? [])]).length === 0
  if (!is(before) && !halfway)
    return {
      _tag: "Fail",
      problem: `${type} at ${name} has changed since the plan was made. Make a new plan.`,
      changed: true
    }
  return attempts < maxAttempts
    ? { _tag: "Write" }
    : { _tag: "Fail", problem: problem ?? `The provider did not write ${type} at ${name}.`, changed: false }
}

/**
 * Pause before the next attempt; undefined when waiting does not help. Unit: milliseconds. `minute`: length of a minute
 * in milliseconds.
 */
export const pauseAfter = (
  error: Pick<ProviderError, "reason" | "retryAfter">,
  tries: number,
  minute: number
): number | undefined => {
  switch (error.reason) {
    case "unauthorized":
    case "read_only":
    case "zone_not_found":
    case "invalid":
      return undefined
    case "rate_limited":
    case "conflict":
    case "unavailable":
    case "action_failed":
      return Math.max(error.retryAfter ?? 0, Math.min((minute / 12) * 2 ** Math.min(tries, 10), minute * 5))
  }
}
