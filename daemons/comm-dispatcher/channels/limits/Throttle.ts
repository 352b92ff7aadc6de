/**
 * Applies the limits of a channel to its deliveries: what an outcome says about the channel, and what becomes of a
 * delivery that the limits refuse. It has no queue: a refused delivery returns by the retry plan of its target.
 */
import { Clock, Effect, Exit, Random } from "effect"
import type { Admission } from "#core/limits/Breaker.ts"
import type { Away } from "#core/limits/Breakers.ts"
import type { HostSlots } from "#core/limits/HostSlots.ts"
import * as OutboundHost from "#core/limits/OutboundHost.ts"
import type { Turn } from "#core/limits/TurnLimiter.ts"
import type { Outcome } from "../Outcome.ts"
import { callPolicy, messengerPolicy, webhookPolicy } from "./ChannelLimits.ts"

export interface ThrottleOptions {
  readonly policy: OutboundHost.OutboundPolicy
  /**
   * `delivery`: each delivery is one request and takes one turn. `request`: a delivery has several requests, and each
   * takes a turn by `pace`.
   */
  readonly paced: "delivery" | "request"
  /**
   * `channel`: an open breaker is a channel fault with a time to return. `target`: an open breaker fails this target
   * early; its own plan decides when to return.
   */
  readonly fault: "channel" | "target"
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
  /** The deliveries under way per host. */
  readonly slots: HostSlots
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

/** Both messenger channels share this throttle. */
export const messengerThrottle = (perSecond?: number): ThrottleOptions => ({
  policy: messengerPolicy(perSecond),
  paced: "request",
  fault: "channel"
})

export const webhookThrottle = (perSecond?: number): ThrottleOptions => ({
  policy: webhookPolicy(perSecond),
  paced: "delivery",
  fault: "target"
})

export const callThrottle: ThrottleOptions = { policy: callPolicy, paced: "delivery", fault: "channel" }

export const make = (options: ThrottleOptions): Effect.Effect<Throttle> =>
  Effect.map(Clock.currentTimeMillis, (builtAt) => {
    const host = OutboundHost.make(options.policy)
    return {
      turn: turn(options, host),
      through: (target, deliver, asked) =>
        through(options, host, target, asked === undefined ? deliver : askingFirst(host, target, deliver, asked)),
      pace: host.take,
      hold: host.hold,
      slots: host.slots,
      status: Effect.map(host.figures, (figures) => statusOf(options, host.away(), host.lastBack() ?? builtAt, figures))
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

const reasonOf = ({ policy }: ThrottleOptions, { reason }: Refused) => `${policy.name} is away, not dialled: ${reason}`

const turn = (options: ThrottleOptions, host: OutboundHost.OutboundHost) =>
  Effect.fnUntraced(function* (target: string) {
    const now = yield* Clock.currentTimeMillis
    const admitted = yield* host.admit(target, false)
    if (admitted._tag === "Refused" && options.fault === "channel") {
      return {
        _tag: "NotBefore",
        at: now + (yield* comeAgain(admitted, now)),
        away: true,
        reason: reasonOf(options, admitted)
      } satisfies ThrottleTurn as ThrottleTurn
    }
    const turn = yield* host.ask(target)
    return (turn._tag === "Now"
      ? turn
      : {
          _tag: "NotBefore",
          at: now + turn.retryAfter,
          away: false,
          reason: keptBack
        }) satisfies ThrottleTurn as ThrottleTurn
  })

const keptBack = "kept back to hold the pace"

const refusal = Effect.fnUntraced(function* (options: ThrottleOptions, refused: Refused) {
  const plan =
    options.fault === "target"
      ? {}
      : ({ fault: "channel", retryAfter: yield* comeAgain(refused, yield* Clock.currentTimeMillis) } as const)
  return { _tag: "Retryable", reason: reasonOf(options, refused), reached: "no", ...plan } satisfies Outcome as Outcome
})

const askingFirst = <E, R>(
  host: OutboundHost.OutboundHost,
  target: string,
  deliver: Effect.Effect<Outcome, E, R>,
  asked: Question
) =>
  Effect.suspend(() =>
    host.isSuspect(target)
      ? Effect.flatMap(asked, (away) => (away === undefined ? deliver : Effect.succeed(away)))
      : deliver
  )

const through = <E, R>(
  options: ThrottleOptions,
  host: OutboundHost.OutboundHost,
  target: string,
  deliver: Effect.Effect<Outcome, E, R>
): Effect.Effect<Outcome, E, R> => {
  const tell = (probe: boolean, exit: Exit.Exit<Outcome, E>) =>
    Effect.gen(function* () {
      const random = yield* Random.next
      const evidence = Exit.isSuccess(exit) ? evidenceOf(exit.value) : "none"
      if (evidence === "there") return yield* host.tell(target, { _tag: "Answered" })
      if (evidence === "none") return yield* host.tell(target, { _tag: "Unclear", probe })
      const reason = Exit.isSuccess(exit) && exit.value._tag === "Retryable" ? exit.value.reason : ""
      yield* host.tell(target, { _tag: "Faulted", probe, reason, random })
    })
  return Effect.gen(function* () {
    const first = yield* host.admit(target, false)
    if (first._tag === "Refused") return yield* refusal(options, first)
    if (options.paced === "delivery") {
      const turn = yield* host.take(target)
      if (turn._tag === "Later")
        return { _tag: "Retryable", reason: keptBack, reached: "no", retryAfter: turn.retryAfter }
    }
    // Checked again, because the breaker may have opened during the wait. A probe is taken together with its release.
    return yield* Effect.acquireUseRelease(
      host.admit(target, true),
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
