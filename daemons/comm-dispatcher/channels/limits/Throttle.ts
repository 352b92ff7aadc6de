/**
 * Stands before a channel: holds its pace, and dials nothing while the channel is away. It keeps no queue; who is not let
 * through comes again by the plan of its target.
 */
import { Clock, Effect, Exit, Random } from "effect"
import type { Outcome } from "../Outcome.ts"
import { type Admission, type BreakerPolicy, channelPolicy, hostPolicy } from "./Breaker.ts"
import { type Away, type Breakers, makeBreakers } from "./Breakers.ts"
import { callLimits, messengerLimits, originOf, webhookLimits } from "./ChannelLimits.ts"
import type { Limit } from "./RateLimit.ts"
import { makeRateLimiter, type RateLimiter, type Turn } from "./RateLimiter.ts"

export interface ThrottleOptions {
  /** As it stands in reasons: `the messenger`. */
  readonly name: string
  readonly limits: (target: string) => ReadonlyArray<Limit>
  /**
   * `delivery`: each delivery is one request and takes one turn. `request`: a delivery is several requests, and each takes
   * its turn by `pace`.
   */
  readonly paced: "delivery" | "request"
  /** Targets with the same key share one breaker. */
  readonly breakerKey: (target: string) => string
  readonly policy: BreakerPolicy
  /**
   * `channel`: an open breaker is the channel's fault and names when to come again. `target`: it says, sooner, what dialling
   * would have said of this target; when to come again is left to the target's own plan.
   */
  readonly fault: "channel" | "target"
  readonly maxWait?: number
}

/** A question that sends nothing: why the channel is away, or undefined when it answers. */
export type Question = Effect.Effect<Outcome | undefined>

/** `away`: not for the target's sake. */
export type ThrottleTurn =
  | { readonly _tag: "Now" }
  | { readonly _tag: "NotBefore"; readonly at: number; readonly away: boolean; readonly reason: string }

export interface ThrottleStatus {
  /** Of a throttle with many breakers: `closed`, and `away` names those that are not. */
  readonly state: "closed" | "open" | "half_open"
  /** Epoch milliseconds. Closed: since the last that was away came back, or since the throttle was built. */
  readonly since: number
  readonly reason?: string
  /** Turns given in the last minute. */
  readonly lastMinute: number
  /** Deliveries waiting for their turn. */
  readonly waiting: number
  /** At most `maxTold`, the longest away first. */
  readonly away: ReadonlyArray<Away>
}

export interface Throttle {
  /**
   * Whether an attempt at this target may begin. Asked before the attempt is noted, so that being put off leaves no line
   * in the ledger; `through` decides again.
   */
  readonly turn: (target: string) => Effect.Effect<ThrottleTurn>
  /**
   * Delivers when it is the target's turn, or answers at once that it is not. `asked`: where the last that was heard of the
   * channel was a fault, this is asked before, so that finding out whether it is back costs no target a delivery in doubt.
   */
  readonly through: <E, R>(
    target: string,
    deliver: Effect.Effect<Outcome, E, R>,
    asked?: Question
  ) => Effect.Effect<Outcome, E, R>
  /** Waits for one turn of a target. */
  readonly pace: (target: string) => Effect.Effect<Turn>
  /** The other side asked that this target be left alone for so many milliseconds. */
  readonly hold: (target: string, milliseconds: number) => Effect.Effect<void>
  readonly status: Effect.Effect<ThrottleStatus>
}

/** Unit: hosts. Reason: `/health` is read by people. */
export const maxTold = 10

/** Unit: milliseconds. Reason: a probe ends within a time-out; asking again every few seconds costs little meanwhile. */
export const probeWait = 2_000

/** Unit: milliseconds. Reason: what was put off by one opening comes back spread over this, behind the probe. */
export const spread = 1_000

/**
 * What an outcome shows of the channel. An answer shows that it is there; what was not sent for a pause, or refused for
 * good, perhaps before it was dialled, shows nothing. No answer counts as away, too: whoever is mute keeps workers waiting.
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

/** One bot API, one breaker; both messenger channels go through the same throttle. `perSecond`: messages to all chats together. */
export const messengerThrottle = (perSecond?: number): ThrottleOptions => ({
  name: "the messenger",
  limits: messengerLimits(perSecond),
  paced: "request",
  breakerKey: () => "messenger",
  policy: channelPolicy,
  fault: "channel"
})

/** Receivers are many: each host has its own breaker and limit. `perSecond`: of one host. */
export const webhookThrottle = (perSecond?: number): ThrottleOptions => ({
  name: "the host",
  limits: webhookLimits(perSecond),
  paced: "delivery",
  breakerKey: originOf,
  policy: hostPolicy,
  fault: "target"
})

/** The target of this throttle is the SIP gateway: what is down is one of them, or the switch behind all. */
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

/** Milliseconds until it is worth coming again. */
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
    // A place is given away for what its target alone has to wait for; what all wait for is waited out in it.
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

/** Unit: milliseconds. Reason: about what putting off and coming again costs. */
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
    // Asked once more, since the breaker may have opened during the wait; a probe is taken with its end already seen to.
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
