/**
 * Limits the rate of a channel and stops deliveries while the channel is away. It has no queue: a refused delivery
 * returns by the retry plan of its target.
 */
import { Clock, Effect, Exit, Random } from "effect"
import type { Outcome } from "../Outcome.ts"
import { type Admission, type BreakerPolicy, channelPolicy, hostPolicy } from "./Breaker.ts"
import { type Away, type Breakers, makeBreakers } from "./Breakers.ts"
import { callLimits, messengerLimits, originOf, webhookLimits } from "./ChannelLimits.ts"
import type { Limit } from "./RateLimit.ts"
import { makeRateLimiter, type RateLimiter, type Turn } from "./RateLimiter.ts"

export interface ThrottleOptions {
  /** Name in reasons: `the messenger`. */
  readonly name: string
  readonly limits: (target: string) => ReadonlyArray<Limit>
  /**
   * `delivery`: each delivery is one request and takes one turn. `request`: a delivery has several requests, and each
   * takes a turn by `pace`.
   */
  readonly paced: "delivery" | "request"
  /** Targets with the same key share one breaker. */
  readonly breakerKey: (target: string) => string
  readonly policy: BreakerPolicy
  /**
   * `channel`: an open breaker is a channel fault with a time to return. `target`: an open breaker fails this target
   * early; its own plan decides when to return.
   */
  readonly fault: "channel" | "target"
  readonly maxWait?: number
}

/** A request that delivers nothing: the reason why the channel is away, or undefined when it answers. */
export type Question = Effect.Effect<Outcome | undefined>

/** `away`: the channel is down, whatever the target. */
export type ThrottleTurn =
  | { readonly _tag: "Now" }
  | { readonly _tag: "NotBefore"; readonly at: number; readonly away: boolean; readonly reason: string }

export interface ThrottleStatus {
  /** With many breakers: `closed`; `away` lists the ones that are not. */
  readonly state: "closed" | "open" | "half_open"
  /** Begin of the state, in epoch milliseconds. Closed: the last recovery, or the creation of the throttle. */
  readonly since: number
  readonly reason?: string
  /** Turns granted in the last minute. */
  readonly lastMinute: number
  /** Deliveries waiting for their turn. */
  readonly waiting: number
  /** At most `maxTold`, the longest outage first. */
  readonly away: ReadonlyArray<Away>
}

export interface Throttle {
  /**
   * Whether an attempt at this target may begin. Asked before the attempt is recorded, so that a refusal leaves no
   * ledger entry; `through` checks again.
   */
  readonly turn: (target: string) => Effect.Effect<ThrottleTurn>
  /**
   * Delivers when it is the target's turn, or refuses at once. `asked`: runs first when the last evidence was a fault,
   * so that testing a recovering channel puts no delivery in doubt.
   */
  readonly through: <E, R>(
    target: string,
    deliver: Effect.Effect<Outcome, E, R>,
    asked?: Question
  ) => Effect.Effect<Outcome, E, R>
  /** Waits for one turn of a target. */
  readonly pace: (target: string) => Effect.Effect<Turn>
  /** Blocks a target for some milliseconds, because the other side asked for it. */
  readonly hold: (target: string, milliseconds: number) => Effect.Effect<void>
  readonly status: Effect.Effect<ThrottleStatus>
}

/** Maximum number of hosts listed in `/health`. Reason: people read it. */
export const maxTold = 10

/**
 * Wait of other deliveries during a probe. Unit: milliseconds. Reason: a probe ends within its timeout, and returning
 * every few seconds costs little.
 */
export const probeWait = 2_000

/**
 * Spread of the returns after a breaker opened. Unit: milliseconds. Reason: the refused deliveries must not all return
 * at once after the probe.
 */
export const spread = 1_000

/**
 * Evidence of an outcome about the channel. An answer shows that it is there. A delivery that was paused, or refused
 * for good, perhaps before dialling, shows nothing. No answer counts as away, because a silent service blocks workers.
 */
export const evidenceOf = (outcome: Outcome): "there" | "away" | "none" => {
  switch (outcome._tag) {
    case "Delivered":
      return "there"
    case "Permanent":
      return "none"
    case "Retryable":
      if (outcome.fault === "channel") return "away"
      if (outcome.reached === "yes") return "there"
      return outcome.retryAfter === undefined || outcome.reached === "perhaps" ? "away" : "none"
  }
}

/**
 * One bot API, one breaker. Both messenger channels share this throttle. `perSecond`: messages to all chats together.
 */
export const messengerThrottle = (perSecond?: number): ThrottleOptions => ({
  name: "the messenger",
  limits: messengerLimits(perSecond),
  paced: "request",
  breakerKey: () => "messenger",
  policy: channelPolicy,
  fault: "channel"
})

/** Each host has its own breaker and limit. `perSecond`: per host. */
export const webhookThrottle = (perSecond?: number): ThrottleOptions => ({
  name: "the host",
  limits: webhookLimits(perSecond),
  paced: "delivery",
  breakerKey: originOf,
  policy: hostPolicy,
  fault: "target"
})

/** The target of this throttle is the SIP gateway. An outage concerns one gateway, or the switch behind all. */
export const callThrottle: ThrottleOptions = {
  name: "the telephone",
  limits: callLimits,
  paced: "delivery",
  breakerKey: (gateway) => gateway,
  policy: channelPolicy,
  fault: "channel"
}

export const make = (options: ThrottleOptions): Effect.Effect<Throttle> =>
  Effect.map(Clock.currentTimeMillis, (builtAt) => {
    const limiter = makeRateLimiter(options.maxWait === undefined ? {} : { maxWait: options.maxWait })
    const breakers = makeBreakers(options.policy)
    return {
      turn: turn(options, limiter, breakers),
      through: (target, deliver, asked) =>
        through(
          options,
          limiter,
          breakers,
          target,
          asked === undefined ? deliver : askingFirst(options, breakers, target, deliver, asked)
        ),
      pace: (target) => limiter.take(options.limits(target)),
      hold: (target, milliseconds) => {
        const [narrowest] = options.limits(target)
        return narrowest === undefined ? Effect.void : limiter.hold(narrowest.key, milliseconds)
      },
      status: Effect.map(limiter.figures, (figures) =>
        statusOf(options, breakers.away(), breakers.lastBack() ?? builtAt, figures)
      )
    }
  })

type Refused = Admission & { readonly _tag: "Refused" }

/** Milliseconds until the next try is useful. */
const comeAgain = (refused: Refused, now: number) =>
  Effect.map(
    Random.next,
    (random) =>
      (refused.until === undefined ? probeWait : Math.max(0, refused.until - now)) + Math.round(random * spread)
  )

const reasonOf = (options: ThrottleOptions, { reason }: Refused) => `${options.name} is away, not dialled: ${reason}`

const turn = (options: ThrottleOptions, limiter: RateLimiter, breakers: Breakers) =>
  Effect.fnUntraced(function* (target: string) {
    const now = yield* Clock.currentTimeMillis
    const admitted = breakers.admit(options.breakerKey(target), now, false)
    if (admitted._tag === "Refused" && options.fault === "channel") {
      return {
        _tag: "NotBefore",
        at: now + (yield* comeAgain(admitted, now)),
        away: true,
        reason: reasonOf(options, admitted)
      } satisfies ThrottleTurn as ThrottleTurn
    }
    const limits = options.limits(target)
    // A target that waits for its own limit gives up its worker; a wait for the common limit keeps it.
    const own = yield* limiter.ask(limits.slice(0, -1), briefly)
    const turn = own._tag === "Later" ? own : yield* limiter.ask(limits)
    return (turn._tag === "Now"
      ? turn
      : {
          _tag: "NotBefore",
          at: now + turn.retryAfter,
          away: false,
          reason: keptBack
        }) satisfies ThrottleTurn as ThrottleTurn
  })

/**
 * Longest wait for a target's own limit that keeps its worker. Unit: milliseconds. Reason: about the cost of putting
 * the delivery off.
 */
const briefly = 250

const keptBack = "kept back to hold the pace"

const refusal = Effect.fnUntraced(function* (options: ThrottleOptions, refused: Refused) {
  const plan =
    options.fault === "target"
      ? {}
      : ({ fault: "channel", retryAfter: yield* comeAgain(refused, yield* Clock.currentTimeMillis) } as const)
  return { _tag: "Retryable", reason: reasonOf(options, refused), reached: "no", ...plan } satisfies Outcome as Outcome
})

const askingFirst = <E, R>(
  options: ThrottleOptions,
  breakers: Breakers,
  target: string,
  deliver: Effect.Effect<Outcome, E, R>,
  asked: Question
) =>
  Effect.suspend(() =>
    breakers.isSuspect(options.breakerKey(target))
      ? Effect.flatMap(asked, (away) => (away === undefined ? deliver : Effect.succeed(away)))
      : deliver
  )

const through = <E, R>(
  options: ThrottleOptions,
  limiter: RateLimiter,
  breakers: Breakers,
  target: string,
  deliver: Effect.Effect<Outcome, E, R>
): Effect.Effect<Outcome, E, R> => {
  const key = options.breakerKey(target)
  const ask = (take: boolean) => Effect.map(Clock.currentTimeMillis, (now) => breakers.admit(key, now, take))
  const tell = (probe: boolean, exit: Exit.Exit<Outcome, E>) =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const random = yield* Random.next
      const evidence = Exit.isSuccess(exit) ? evidenceOf(exit.value) : "none"
      if (evidence === "there") return breakers.tell(key, { _tag: "Answered" }, now)
      if (evidence === "none") return breakers.tell(key, { _tag: "Unclear", probe }, now)
      const reason = Exit.isSuccess(exit) && exit.value._tag === "Retryable" ? exit.value.reason : ""
      breakers.tell(key, { _tag: "Faulted", probe, reason, random }, now)
    })
  return Effect.gen(function* () {
    const first = yield* ask(false)
    if (first._tag === "Refused") return yield* refusal(options, first)
    if (options.paced === "delivery") {
      const turn = yield* limiter.take(options.limits(target))
      if (turn._tag === "Later")
        return { _tag: "Retryable", reason: keptBack, reached: "no", retryAfter: turn.retryAfter }
    }
    // Checked again, because the breaker may have opened during the wait. A probe is taken together with its release.
    return yield* Effect.acquireUseRelease(
      ask(true),
      (admitted) => (admitted._tag === "Refused" ? refusal(options, admitted) : deliver),
      (admitted, exit) => (admitted._tag === "Refused" ? Effect.void : tell(admitted._tag === "Probe", exit))
    )
  })
}

const statusOf = (
  options: ThrottleOptions,
  away: ReadonlyArray<Away>,
  closedSince: number,
  figures: Pick<ThrottleStatus, "lastMinute" | "waiting">
): ThrottleStatus => {
  const [only] = options.fault === "channel" ? away : []
  return {
    state: only?.state ?? "closed",
    since: only?.since ?? closedSince,
    ...(only === undefined ? {} : { reason: only.reason }),
    ...figures,
    away: away.slice(0, maxTold)
  }
}
