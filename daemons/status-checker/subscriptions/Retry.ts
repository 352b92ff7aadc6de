/** What becomes of a mail after a try. Pure. */
import { Duration } from "effect"
import * as Backoff from "#core/supervision/Backoff.ts"
import type { MailRelayError } from "#core/mail-relay/MailRelay.ts"
import { linkHours } from "./SignUpLimits.ts"

/**
 * After a "not now" about one mail (greylisting, a full mailbox). Source: RFC 5321 §4.5.4.1 asks for 30 min at least,
 * greylisting mostly for 1 to 5.
 */
export const putOff: Backoff.Backoff = {
  name: "put off",
  base: Duration.minutes(2),
  max: Duration.hours(1),
  jitter: 0.2
}

/** While the relay cannot be reached at all: nobody tries until the wait is over, then one mail does. */
export const relayAway: Backoff.Backoff = {
  name: "relay away",
  base: Duration.seconds(1),
  max: Duration.seconds(60),
  jitter: 0.2
}

/**
 * How long a mail is tried for. Unit: milliseconds. Source: RFC 5321 §4.5.4.1, 4 to 5 days; a confirmation no longer
 * than its link holds.
 */
export const mailLife = { notice: 5 * 86_400_000, confirm: linkHours * 3_600_000 } as const

export type Next =
  | { readonly _tag: "Delivered" }
  /** `wait`: until the next try. Unit: milliseconds. */
  | { readonly _tag: "Again"; readonly wait: number; readonly error: string }
  /** `refused`: the relay will not take it, ever. */
  | { readonly _tag: "Failed"; readonly error: string; readonly refused: boolean }

type Failure = Pick<MailRelayError, "detail" | "message" | "reason">

export interface Tried {
  readonly kind: keyof typeof mailLife
  /** This try included. */
  readonly attempts: number
  /** Unit: milliseconds since it was decided. */
  readonly age: number
}

export const isTooOld = ({ age, kind }: Tried): boolean => age >= mailLife[kind]

/**
 * `random`: 0 to 1. Where the relay is away the mail itself waits for nothing: all wait together, and it is as good as
 * any to try with. A mail without an answer may have been taken, and its own recipient may be why: it goes behind the
 * others.
 */
export const afterFailure = (tried: Tried, error: Failure, random: number): Next => {
  if (error.reason === "Refused") return { _tag: "Failed", error: error.message, refused: true }
  if (isTooOld(tried)) return { _tag: "Failed", error: `given up: ${error.message}`, refused: false }
  return {
    _tag: "Again",
    wait: isAway(error) ? 0 : Duration.toMillis(Backoff.delay(putOff, tried.attempts, random)),
    error: error.message
  }
}

/** Whether the next mail would fare no better. 421: the relay takes nothing for now. Source: RFC 5321 §3.8. */
export const isOfRelay = (error: Failure): boolean =>
  isAway(error) || (error.reason === "PutOff" && /^421\b/.test(error.detail))

const isAway = ({ reason }: Failure): boolean => reason === "Unreachable" || reason === "SignInRefused"
