/**
 * What is to be done about a step, from what stands at its place now, and about a provider that did not do it. Pure.
 */
import { sameContents, without } from "../record-sets/CanonicalContent.ts"
import type { StepRow } from "./PlanStore.ts"
import type { RecordSet } from "../record-sets/RecordSet.ts"
import type { ProviderError } from "../providers/Exports.ts"

/**
 * How often a provider is asked to write one set. Reason: what fails four times over some minutes does so for a reason
 * that somebody has to mend.
 */
export const maxAttempts = 4

/**
 * How often in a row a zone may not be readable. Reason: with the pauses below about half an hour, longer than a
 * provider's maintenance mostly is.
 */
export const maxReads = 10

/**
 * How long a plan may take with all its pauses. Unit: minutes. Reason: a zone half done must be told of before a
 * working day is over; rate limits renew within the hour.
 */
export const maxDuration = 120

export type Decision =
  | { readonly _tag: "Done" }
  | { readonly _tag: "Write" }
  | { readonly _tag: "Fail"; readonly problem: string }

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
  // Where single records are written, a set may be left halfway; nothing in it is anybody else's.
  const halfway = state === "attempting" && without(type, now, [...(before ?? []), ...(after ?? [])]).length === 0
  if (!is(before) && !halfway)
    return { _tag: "Fail", problem: `${type} at ${name} was changed by somebody else meanwhile.` }
  return attempts < maxAttempts
    ? { _tag: "Write" }
    : { _tag: "Fail", problem: problem ?? `The provider did not write ${type} at ${name}.` }
}

/**
 * How long to wait before the plan is gone on with; undefined: no waiting helps. Unit: milliseconds, of which `minute`
 * are one.
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
