/** Sums up response times. Pure. */
import type { ResponseTimes } from "../status/Model.ts"

export interface ResponseSummary {
  /** Mean of all checks. Unit: milliseconds, whole; null without an answer. */
  readonly mean_ms: number | null
  /** The slowest check. Unit: milliseconds; null without an answer. */
  readonly most_ms: number | null
}

export const summary = (times: ReadonlyArray<ResponseTimes>): ResponseSummary => {
  const checks = times.reduce((all, one) => all + one.checks, 0)
  if (checks === 0) return { mean_ms: null, most_ms: null }
  return {
    mean_ms: Math.round(times.reduce((all, one) => all + one.mean_ms * one.checks, 0) / checks),
    most_ms: Math.max(...times.map(({ most_ms }) => most_ms))
  }
}
