/**
 * Grants turns under rate limits in the order of arrival. A request whose own limit is exhausted does not delay others:
 * a busy chat delays only itself. Waiting is bounded in time and number; beyond that a request is told when to return,
 * each at a different time.
 *
 * Counts the grants of this process only. Several processes on one channel must share its limit by configuration.
 */
import { Clock, Effect } from "effect"
import { freeAt, type Granted, isSpent, type Limit, turnAt, withGrant } from "./RateLimit.ts"

/** `Later`: milliseconds until the turn. */
export type Turn = { readonly _tag: "Now" } | { readonly _tag: "Later"; readonly retryAfter: number }

export interface RateLimiter {
  /** Waits for a turn under all limits and takes it; `Later` when the wait would exceed `maxWait`. */
  readonly take: (limits: ReadonlyArray<Limit>) => Effect.Effect<Turn>
  /** The answer of `take` without waiting or taking. `patience`: replaces `maxWait`, in milliseconds. */
  readonly ask: (limits: ReadonlyArray<Limit>, patience?: number) => Effect.Effect<Turn>
  /** Blocks a key for some milliseconds, because the other side asked for it. */
  readonly hold: (key: string, milliseconds: number) => Effect.Effect<void>
  /** `lastMinute`: turns granted. `waiting`: requests that wait now. */
  readonly figures: Effect.Effect<{ readonly lastMinute: number; readonly waiting: number }>
}

/**
 * Longest wait for a turn. Unit: milliseconds. Reason: covers the messages of one alarm; a longer wait keeps a worker
 * from other targets.
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
  readonly limits: ReadonlyArray<Limit>
  granted: boolean
}

export const makeRateLimiter = (options: { readonly maxWait?: number } = {}): RateLimiter => {
  const patience = options.maxWait ?? maxWait
  const granted = new Map<string, { readonly log: Granted; readonly window: number }>()
  const heldUntil = new Map<string, number>()
  /** The last time per key at which a request was told to return. */
  const promised = new Map<string, number>()
  const waiting = new Set<Waiter>()
  /** Turns granted per second of the epoch, for the last minute. */
  const seconds = new Map<number, number>()

  const logOf = ({ key }: Limit): Granted => granted.get(key)?.log ?? []
  const holdOf = ({ key }: Limit, now: number): number => Math.max(now, heldUntil.get(key) ?? 0)
  const free = (limits: ReadonlyArray<Limit>, now: number): number =>
    limits.reduce((latest, limit) => Math.max(latest, freeAt(logOf(limit), limit, holdOf(limit, now))), now)

  const sweep = (now: number) => {
    for (const [key, { log, window }] of granted) if (isSpent(log, window, now)) granted.delete(key)
    for (const times of [heldUntil, promised]) for (const [key, until] of times) if (until <= now) times.delete(key)
  }

  const give = (limits: ReadonlyArray<Limit>, now: number) => {
    for (const limit of limits)
      granted.set(limit.key, { log: withGrant(logOf(limit), limit, now), window: limit.window })
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
      if (free(waiter.limits, now) > now) continue
      give(waiter.limits, now)
      waiter.granted = true
      waiting.delete(waiter)
    }
  }

  /** When a new request gets its turn, behind all that wait. */
  const expected = (limits: ReadonlyArray<Limit>, now: number): number =>
    limits.reduce((latest, limit) => {
      const ahead = [...waiting].filter((waiter) => waiter.limits.some(({ key }) => key === limit.key)).length
      return Math.max(latest, turnAt(logOf(limit), limit, ahead, holdOf(limit, now)))
    }, now)

  const later = (limits: ReadonlyArray<Limit>, at: number, now: number, within: number = patience): Turn => {
    const mine = limits.reduce(
      (latest, { key, most, window }) => Math.max(latest, (promised.get(key) ?? 0) + window / most),
      at
    )
    // Only limits that block this request count: a promise for one chat must not delay the next chat.
    for (const limit of limits) if (expected([limit], now) > now + within) promised.set(limit.key, mine)
    return { _tag: "Later", retryAfter: mine - now }
  }

  const take = (limits: ReadonlyArray<Limit>) =>
    Effect.gen(function* () {
      const begun = yield* Clock.currentTimeMillis
      const at = expected(limits, begun)
      if (at > begun + patience || waiting.size >= maxWaiting) return later(limits, at, begun)
      const waiter: Waiter = { limits, granted: false }
      waiting.add(waiter)
      return yield* turnOf(waiter, begun + patience).pipe(Effect.ensuring(Effect.sync(() => waiting.delete(waiter))))
    })

  const turnOf = Effect.fnUntraced(function* (waiter: Waiter, deadline: number) {
    for (;;) {
      const now = yield* Clock.currentTimeMillis
      serve(now)
      if (waiter.granted) return { _tag: "Now" } satisfies Turn as Turn
      // The other side asked for a pause meanwhile, or the clock jumped.
      if (now >= deadline) return later(waiter.limits, free(waiter.limits, now), now)
      yield* Effect.sleep(Math.max(leastSleep, Math.min(free(waiter.limits, now), deadline) - now))
    }
  })

  return {
    take,
    ask: (limits, within = patience) =>
      Effect.map(Clock.currentTimeMillis, (now): Turn => {
        const at = expected(limits, now)
        return at > now + within ? later(limits, at, now, within) : { _tag: "Now" }
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
