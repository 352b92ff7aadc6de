/**
 * What follows a failed attempt: another attempt after a pause, or the end of the fetch; and whether the outage of the
 * account is announced. Pure. No text contains words of the bank.
 */
import { Duration } from "effect"
import * as Backoff from "#core/supervision/Backoff.ts"

/**
 * Pauses between the attempts of a fetch. Reason: a lost connection is repeated soon; a bank that is away for hours is
 * asked twice an hour.
 */
export const bankBackoff: Backoff.Backoff = {
  name: "bank",
  base: Duration.seconds(15),
  max: Duration.minutes(30),
  jitter: 0.2
}

/**
 * Failures in a row from which a temporary failure counts as an outage that people are told of. Reason: one lost
 * connection must not call an operator; with `bankBackoff` the third failure comes after about a minute.
 */
export const toldFrom = 3

/**
 * How long a fetch is repeated. Unit: minutes. Reason: the next firing of the same schedule begins a new fetch; a
 * person
 * who asked looks again within an hour.
 */
export const repeatedFor = { daily: 24 * 60, intraday: 60, manual: 60 } as const

/** A failed attempt. `problem`: a sentence of ours. `code`: return code of the bank. */
export interface Failure {
  readonly problem: string
  readonly code: string | null
  /** Whether the same fetch can succeed later without a change here or at the bank. */
  readonly repeatable: boolean
  /** Whether the failure concerns the account; false: only this request, such as its range of days. */
  readonly outage: boolean
}

export interface Attempt {
  readonly reason: keyof typeof repeatedFor
  /** Age of the fetch. Unit: milliseconds. */
  readonly age: number
  /** A newer fetch of the same schedule is waiting. */
  readonly superseded: boolean
  /** Failures of the account in a row, before this one. */
  readonly failures: number
  /** Whether this outage has its event. */
  readonly announced: boolean
  /** Length of a minute. Unit: milliseconds. */
  readonly minute: number
  /** 0 to 1, for the jitter. */
  readonly random: number
}

export interface Verdict {
  /** Pause before the next attempt, in milliseconds; null: the fetch ends as failed. */
  readonly pause: number | null
  /** Failures of the account in a row, with this one. */
  readonly failures: number
  /** Whether the event `bank.fetch.failed` is due. */
  readonly announce: boolean
}

export const afterFailure = (failure: Failure, attempt: Attempt): Verdict => {
  const failures = attempt.failures + (failure.outage ? 1 : 0)
  const wait = Duration.toMillis(Backoff.delay(bankBackoff, Math.max(failures, 1), attempt.random))
  const pause = Math.round((wait * attempt.minute) / 60_000)
  const isInTime = attempt.age + pause < repeatedFor[attempt.reason] * attempt.minute
  const repeats = failure.repeatable && !attempt.superseded && isInTime
  return {
    pause: repeats ? pause : null,
    failures,
    announce: failure.outage && !attempt.announced && (!failure.repeatable || failures >= toldFrom)
  }
}
