/**
 * A circuit breaker. Pure: no clock, no I/O, no randomness; times are epoch milliseconds.
 *
 *   closed ──`faultsToOpen` faults in a row──▶ open ──after a pause, the next request──▶ half open ──answered──▶ closed
 *                                                ▲                                            │
 *                                                └────────────faulted, a longer pause─────────┘
 *
 * A fault means that the channel is away. A refusal of one target is no fault and opens no breaker.
 */
import { Duration } from "effect"
import * as Backoff from "#core/supervision/Backoff.ts"

/**
 * `since`: begin of this state; for open and half open, of the first opening. `openings`: consecutive pauses, from 1.
 */
export type Breaker =
  | { readonly _tag: "Closed"; readonly since: number; readonly faults: number }
  | {
      readonly _tag: "Open"
      readonly since: number
      readonly openings: number
      readonly until: number
      readonly reason: string
    }
  | { readonly _tag: "HalfOpen"; readonly since: number; readonly openings: number; readonly reason: string }

/** `probe`: the request admitted by a half-open breaker. `random`: 0 to 1, spreads the pause. */
export type BreakerEvent =
  | { readonly _tag: "Asked" }
  | { readonly _tag: "Answered" }
  | { readonly _tag: "Faulted"; readonly probe: boolean; readonly reason: string; readonly random: number }
  /** Ended without evidence about the channel: interrupted, or refused before dialling. */
  | { readonly _tag: "Unclear"; readonly probe: boolean }

export interface BreakerPolicy {
  /** Faults in a row. */
  readonly faultsToOpen: number
  readonly pause: Backoff.Backoff
}

/** Consecutive faults that open a breaker. Reason: the retries of a target bridge one or two faults. */
export const faultsToOpen = 5

/** For a channel: an alarm is sent at most half a minute after the channel is back. */
export const channelPolicy: BreakerPolicy = {
  faultsToOpen,
  pause: { name: "channel probe", base: Duration.seconds(2), max: Duration.seconds(30), jitter: 0.2 }
}

/** For one host: below the last quick repeat (10 s), so that a target without RETRY is dialled before it fails. */
export const hostPolicy: BreakerPolicy = {
  faultsToOpen,
  pause: { name: "host probe", base: Duration.seconds(1), max: Duration.seconds(8), jitter: 0.2 }
}

export const closed = (now: number): Breaker => ({ _tag: "Closed", since: now, faults: 0 })

export type Admission =
  | { readonly _tag: "Pass" }
  /** One request is admitted as a probe. */
  | { readonly _tag: "Probe" }
  /** `until`: undefined while a probe is under way. */
  | { readonly _tag: "Refused"; readonly until: number | undefined; readonly reason: string }

/** The answer to a request now. The event `Asked` turns a `Probe` into the half-open state. */
export const admission = (breaker: Breaker, now: number): Admission => {
  switch (breaker._tag) {
    case "Closed":
      return { _tag: "Pass" }
    case "Open":
      return now >= breaker.until
        ? { _tag: "Probe" }
        : { _tag: "Refused", until: breaker.until, reason: breaker.reason }
    case "HalfOpen":
      return { _tag: "Refused", until: undefined, reason: breaker.reason }
  }
}

export const decide = (breaker: Breaker, event: BreakerEvent, now: number, policy: BreakerPolicy): Breaker => {
  switch (event._tag) {
    case "Asked":
      return admission(breaker, now)._tag === "Probe" && breaker._tag === "Open"
        ? { _tag: "HalfOpen", since: breaker.since, openings: breaker.openings, reason: breaker.reason }
        : breaker
    case "Answered":
      return breaker._tag === "Closed" ? { ...breaker, faults: 0 } : closed(now)
    case "Unclear":
      // The next request may probe at once, because the pause has passed.
      return event.probe && breaker._tag === "HalfOpen" ? { ...breaker, _tag: "Open", until: now } : breaker
    case "Faulted":
      return faulted(breaker, event, now, policy)
  }
}

const faulted = (
  breaker: Breaker,
  event: BreakerEvent & { readonly _tag: "Faulted" },
  now: number,
  policy: BreakerPolicy
): Breaker => {
  const open = (since: number, openings: number): Breaker => ({
    _tag: "Open",
    since,
    openings,
    until: now + Duration.toMillis(Backoff.delay(policy.pause, openings, event.random)),
    reason: event.reason
  })
  if (breaker._tag === "Closed") {
    const faults = breaker.faults + 1
    return faults >= policy.faultsToOpen ? open(now, 1) : { ...breaker, faults }
  }
  // Requests sent before the breaker opened are no new evidence.
  return breaker._tag === "HalfOpen" && event.probe ? open(breaker.since, breaker.openings + 1) : breaker
}
