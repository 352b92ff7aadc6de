/** Outcome of an attempt to send a mail. Pure. */
import { Duration } from "effect"
import * as Backoff from "#core/supervision/Backoff.ts"
import type { MailRelayError } from "#core/mail-relay/MailRelay.ts"
import { linkHours } from "./SignUpLimits.ts"

/**
 * Backoff after a temporary refusal of one mail (greylisting, full mailbox). Source: RFC 5321 §4.5.4.1 asks for at
 * least 30 min; greylisting usually takes 1 to 5.
 */
export const putOff: Backoff.Backoff = {
  name: "put off",
  base: Duration.minutes(2),
  max: Duration.hours(1),
  jitter: 0.2
}

/** Backoff while the relay is unreachable. All mails wait; then one mail tests the relay. */
export const relayAway: Backoff.Backoff = {
  name: "relay away",
  base: Duration.seconds(1),
  max: Duration.seconds(60),
  jitter: 0.2
}

/**
 * How long a mail is retried. Unit: milliseconds. Source: RFC 5321 §4.5.4.1, 4 to 5 days; a confirmation as long as its
 * link is valid.
 */
export const mailLife = { notice: 5 * 86_400_000, confirm: linkHours * 3_600_000 } as const

export type Next =
  | { readonly _tag: "Delivered" }
  /** `wait`: time until the next attempt. Unit: milliseconds. */
  | { readonly _tag: "Again"; readonly wait: number; readonly error: string }
  /** `refused`: the relay refused the mail permanently. */
  | { readonly _tag: "Failed"; readonly error: string; readonly refused: boolean }

type Failure = Pick<MailRelayError, "detail" | "ownWords" | "reason">

export interface Attempt {
  readonly kind: keyof typeof mailLife
  /** Attempt number, starting at 1. */
  readonly attempts: number
  /** Time since the creation of the mail. Unit: milliseconds. */
  readonly age: number
}

export const isTooOld = ({ age, kind }: Attempt): boolean => age >= mailLife[kind]

/**
 * Outcome of a failed attempt. `random`: 0 to 1. With an unreachable relay the mail stays due, because all mails wait
 * together. A mail without an answer goes behind the others: it may have been accepted, and its recipient may be the
 * cause.
 */
export const afterFailure = (tried: Attempt, error: Failure, random: number): Next => {
  if (error.reason === "Refused") return { _tag: "Failed", error: error.ownWords, refused: true }
  if (isTooOld(tried)) return { _tag: "Failed", error: `given up: ${error.ownWords}`, refused: false }
  return {
    _tag: "Again",
    wait: isAway(error) ? 0 : Duration.toMillis(Backoff.delay(putOff, tried.attempts, random)),
    error: error.ownWords
  }
}

/** Whether the next mail would fail as well. 421: the relay accepts no mail at present. Source: RFC 5321 §3.8. */
export const isOfRelay = (error: Failure): boolean =>
  isAway(error) || (error.reason === "PutOff" && /^421\b/.test(error.detail))

const isAway = ({ reason }: Failure): boolean => reason === "Unreachable" || reason === "SignInRefused"
