/**
 * Grants turns under rates in the order of arrival. A request takes its turn under all its rates at once. A request
 * whose own rate is exhausted does not delay others. Waiting is bounded in time and number; beyond that a request is
 * told when to return, each at a different time.
 *
 * Counts the grants of this process only. Several processes that send to one host must share its limit by
 * configuration.
 *
 * Why not `RateLimiter` of effect 4.1: it either takes tokens for any wait, however long, or refuses without a queue.
 * It has no pause for one key, and its memory store deletes no key. Measured with `npm run bench -- limits`: under a
 * limit of 20 a second it grants 39 within one second, by its token bucket and by its fixed window; here 20. After
 * 100,000 hosts it holds 18 MB; here less than 3 MB. A turn here costs 15 to 36 µs, 1.1 to 1.8 times as much as there.
 */
import { Clock, Effect } from "effect"
import { type Granted, isSpent, turnAt, type Window, withGrant } from "./SlidingWindow.ts"
import { type Policy, TokenBucket } from "./TokenBucket.ts"

/**
 * A rate. Requests with the same key share it. `Window`: for limits that the other side states as a number per period.
 * `Policy`: a token bucket, for an average with a burst.
 */
export type Rate = { readonly key: string } & (Window | Policy)

/** `Later`: milliseconds until the turn. */
export type Turn = { readonly _tag: "Now" } | { readonly _tag: "Later"; readonly retryAfter: number }

export interface TurnLimiter {
  /** Waits for a turn under all rates and takes it; `Later` when the wait would exceed `maxWait`. */
  readonly take: (rates: ReadonlyArray<Rate>) => Effect.Effect<Turn>
  /** The answer of `take` without waiting or taking. `patience`: replaces `maxWait`, in milliseconds. */
  readonly ask: (rates: ReadonlyArray<Rate>, patience?: number) => Effect.Effect<Turn>
  /** Blocks a key for some milliseconds, because the other side asked for it. */
  readonly hold: (key: string, milliseconds: number) => Effect.Effect<void>
  /** `lastMinute`: turns granted. `waiting`: requests that wait now. */
  readonly figures: Effect.Effect<{ readonly lastMinute: number; readonly waiting: number }>
}

/**
 * Longest wait for a turn, by default. Unit: milliseconds. Reason: covers the messages of one alarm; a longer wait
 * keeps a worker from other targets.
 */
export const maxWait = 3_000

/**
 * Maximum number of waiting requests. Reason: above the deliveries that one process handles at once. Each request is
 * compared with all others.
 */
export const maxWaiting = 256

/** Number of keys at which unused ones are removed. Reason: bounds the memory; old keys restrict nothing. */
const sweepAt = 1_000

/** Added to each timer. Unit: milliseconds. Reason: timers fire slightly early. */
const leastSleep = 5

interface Waiter {
  readonly rates: ReadonlyArray<Rate>
  granted: boolean
}

/** The grants under one key. Times are epoch milliseconds. */
interface Grants {
  /** Time, `now` or later, at which a request gets its turn when `ahead` others go before it. */
  readonly turnAt: (ahead: number, now: number) => number
  readonly add: (now: number) => void
  /** Whether the grants no longer restrict anything. */
  readonly isSpent: (now: number) => boolean
}

const grantsOf = (rate: Rate, now: number): Grants => {
  if ("burst" in rate) {
    const bucket = new TokenBucket(rate, now)
    return {
      turnAt: (ahead, now) => now + Math.ceil(bucket.waitFor(ahead + 1, now) - rounding),
      add: (now) => void bucket.take(1, now),
      isSpent: (now) => bucket.waitFor(rate.burst, now) === 0
    }
  }
  let log: Granted = []
  return {
    turnAt: (ahead, now) => turnAt(log, rate, ahead, now),
    add: (now) => void (log = withGrant(log, rate, now)),
    isSpent: (now) => isSpent(log, rate.window, now)
  }
}

/** Error of the sums of a token bucket. Unit: milliseconds. */
const rounding = 1e-6

/** Time between two grants in the long run. Unit: milliseconds. */
const spacing = (rate: Rate): number => ("burst" in rate ? 1_000 / rate.perSecond : rate.window / rate.most)

export const makeTurnLimiter = (options: { readonly maxWait?: number } = {}): TurnLimiter => {
  const patience = options.maxWait ?? maxWait
  const granted = new Map<string, Grants>()
  const heldUntil = new Map<string, number>()
  /** The last time per key at which a request was told to return. */
  const promised = new Map<string, number>()
  const waiting = new Set<Waiter>()
  /** Turns granted per second of the epoch, for the last minute. */
  const seconds = new Map<number, number>()

  /** When a request gets its turn under one rate, behind `ahead` others. */
  const turn = (rate: Rate, ahead: number, now: number): number =>
    (granted.get(rate.key) ?? grantsOf(rate, now)).turnAt(ahead, Math.max(now, heldUntil.get(rate.key) ?? 0))
  const free = (rates: ReadonlyArray<Rate>, now: number): number =>
    rates.reduce((latest, rate) => Math.max(latest, turn(rate, 0, now)), now)

  const sweep = (now: number) => {
    for (const [key, grants] of granted) if (grants.isSpent(now)) granted.delete(key)
    for (const times of [heldUntil, promised]) for (const [key, until] of times) if (until <= now) times.delete(key)
  }

  const give = (rates: ReadonlyArray<Rate>, now: number) => {
    for (const rate of rates) {
      const grants = granted.get(rate.key) ?? grantsOf(rate, now)
      grants.add(now)
      granted.set(rate.key, grants)
    }
    const second = Math.floor(now / 1_000)
    seconds.set(second, (seconds.get(second) ?? 0) + 1)
    for (const old of seconds.keys()) {
      if (old > second - 60) break
      seconds.delete(old)
    }
    if (granted.size + heldUntil.size + promised.size > sweepAt) sweep(now)
  }

  /** Grants turns to all waiting requests that may go, first come first served. */
  const serve = (now: number) => {
    for (const waiter of waiting) {
      if (free(waiter.rates, now) > now) continue
      give(waiter.rates, now)
      waiter.granted = true
      waiting.delete(waiter)
    }
  }

  /** When a new request gets its turn, behind all that wait. */
  const expected = (rates: ReadonlyArray<Rate>, now: number): number =>
    rates.reduce((latest, rate) => {
      const ahead = [...waiting].filter((waiter) => waiter.rates.some(({ key }) => key === rate.key)).length
      return Math.max(latest, turn(rate, ahead, now))
    }, now)

  const later = (rates: ReadonlyArray<Rate>, at: number, now: number, within: number = patience): Turn => {
    const mine = rates.reduce((latest, rate) => Math.max(latest, (promised.get(rate.key) ?? 0) + spacing(rate)), at)
    // Only rates that block this request count: a promise for one chat must not delay the next chat.
    for (const rate of rates) if (expected([rate], now) > now + within) promised.set(rate.key, mine)
    return { _tag: "Later", retryAfter: mine - now }
  }

  const take = (rates: ReadonlyArray<Rate>) =>
    Effect.gen(function* () {
      const begun = yield* Clock.currentTimeMillis
      const at = expected(rates, begun)
      if (at > begun + patience || waiting.size >= maxWaiting) return later(rates, at, begun)
      const waiter: Waiter = { rates, granted: false }
      waiting.add(waiter)
      return yield* turnOf(waiter, begun + patience).pipe(Effect.ensuring(Effect.sync(() => waiting.delete(waiter))))
    })

  const turnOf = Effect.fnUntraced(function* (waiter: Waiter, deadline: number) {
    for (;;) {
      const now = yield* Clock.currentTimeMillis
      serve(now)
      if (waiter.granted) return { _tag: "Now" } satisfies Turn as Turn
      // The other side asked for a pause meanwhile, or the clock jumped.
      if (now >= deadline) return later(waiter.rates, free(waiter.rates, now), now)
      yield* Effect.sleep(Math.max(leastSleep, Math.min(free(waiter.rates, now), deadline) - now))
    }
  })

  return {
    take,
    ask: (rates, within = patience) =>
      Effect.map(Clock.currentTimeMillis, (now): Turn => {
        const at = expected(rates, now)
        return at > now + within ? later(rates, at, now, within) : { _tag: "Now" }
      }),
    hold: (key, milliseconds) =>
      Effect.map(
        Clock.currentTimeMillis,
        (now) => void heldUntil.set(key, Math.max(heldUntil.get(key) ?? 0, now + milliseconds))
      ),
    figures: Effect.map(Clock.currentTimeMillis, (now) => ({
      lastMinute: [...seconds].reduce((sum, [second, count]) => (second > now / 1_000 - 60 ? sum + count : sum), 0),
      waiting: waiting.size
    }))
  }
}
