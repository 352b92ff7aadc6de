/**
 * The limits of what this process sends to one kind of outbound host or service, by a named policy: the rate, the
 * requests under way per host, and the pauses while a host is away. Each target has its own limits; targets with equal
 * keys share them. The caller decides what an answer says about the host, and what a refused request does next.
 *
 * Not shared between processes. Not for requests that come in (RateLimit.ts), nor for limits that must survive a
 * restart (StoredLog.ts).
 */
import { Clock, Effect } from "effect"
import { type Admission, type BreakerEvent, type BreakerPolicy } from "./Breaker.ts"
import { type Away, makeBreakers } from "./Breakers.ts"
import { type HostSlots, makeHostSlots } from "./HostSlots.ts"
import { makeTurnLimiter, type Rate, type Turn, type TurnLimiter } from "./TurnLimiter.ts"

/** The limits of one kind of host. What a policy omits is not limited. */
export interface OutboundPolicy {
  /** Name of the host in reasons: `the messenger`. */
  readonly name: string
  /** Rates of a target. The widest comes last, because its turn comes soonest. */
  readonly rates: (target: string) => ReadonlyArray<Rate>
  /** Longest wait for a turn. Unit: milliseconds. Default: `maxWait` of TurnLimiter.ts. */
  readonly maxWait?: number
  readonly breaker?: BreakerPolicy & {
    /** Targets with the same key share one breaker. */
    readonly key: (target: string) => string
  }
}

export interface OutboundHost {
  /** Waits for a turn of the target and takes it; `Later` when the wait would exceed `maxWait`. */
  readonly take: (target: string) => Effect.Effect<Turn>
  /**
   * The answer of `take` without waiting or taking. A wait for the target's own rates is put off sooner than a wait for
   * the rate that all targets share.
   */
  readonly ask: (target: string) => Effect.Effect<Turn>
  /** Blocks a target for some milliseconds, because the other side asked for it. */
  readonly hold: (target: string, milliseconds: number) => Effect.Effect<void>
  /** The requests under way per host. */
  readonly slots: HostSlots
  /** Whether the breaker admits a request. `take`: a `Probe` counts as under way from now. */
  readonly admit: (target: string, take: boolean) => Effect.Effect<Admission>
  /** Records what a request showed about the host. */
  readonly tell: (target: string, event: BreakerEvent) => Effect.Effect<void>
  /** Whether the last evidence about the host was a fault. */
  readonly isSuspect: (target: string) => boolean
  /** Breakers that are not closed, the oldest opening first. */
  readonly away: () => ReadonlyArray<Away>
  /** When a breaker last closed again, epoch milliseconds. */
  readonly lastBack: () => number | undefined
  readonly figures: TurnLimiter["figures"]
}

/**
 * Longest wait for a target's own rates that keeps its worker. Unit: milliseconds. Reason: about the cost of putting
 * the request off.
 */
const briefly = 250

export const make = ({ breaker, maxWait, rates }: OutboundPolicy): OutboundHost => {
  const limiter = makeTurnLimiter(maxWait === undefined ? {} : { maxWait })
  const breakers = breaker === undefined ? undefined : makeBreakers(breaker)
  const keyOf = (target: string) => breaker?.key(target) ?? ""
  return {
    take: (target) => limiter.take(rates(target)),
    ask: (target) =>
      Effect.flatMap(limiter.ask(rates(target).slice(0, -1), briefly), (own) =>
        own._tag === "Later" ? Effect.succeed(own) : limiter.ask(rates(target))
      ),
    hold: (target, milliseconds) => {
      const [narrowest] = rates(target)
      return narrowest === undefined ? Effect.void : limiter.hold(narrowest.key, milliseconds)
    },
    slots: makeHostSlots(),
    admit: (target, take) =>
      Effect.map(
        Clock.currentTimeMillis,
        (now): Admission => breakers?.admit(keyOf(target), now, take) ?? { _tag: "Pass" }
      ),
    tell: (target, event) => Effect.map(Clock.currentTimeMillis, (now) => breakers?.tell(keyOf(target), event, now)),
    isSuspect: (target) => breakers?.isSuspect(keyOf(target)) ?? false,
    away: () => breakers?.away() ?? [],
    lastBack: () => breakers?.lastBack(),
    figures: limiter.figures
  }
}
