/**
 * A sliding-window rate limit: at most `most` grants in any `window`. Pure; times are epoch milliseconds.
 *
 * It stores the times of the last grants instead of a token level: the limits are stated as a number per window, and a
 * bucket that filled up during a quiet minute would let nearly twice as many through.
 *
 * Effect's RateLimiter 4.1.0 has only such a bucket and a fixed window. For 20 grants a minute its bucket allows 39
 * within a minute.
 */

export interface Window {
  /** Maximum number of grants within `window`. */
  readonly most: number
  /** Length of the window. Unit: milliseconds. */
  readonly window: number
}

/** Times of the last grants under one limit, oldest first; at most `most`. */
export type Granted = ReadonlyArray<number>

/** The earliest time, `now` or later, at which another grant stays within the limit. */
export const freeAt = (granted: Granted, limit: Window, now: number): number => {
  const oldest = granted[granted.length - limit.most]
  return oldest === undefined ? now : Math.max(now, oldest + limit.window)
}

/** Adds a grant at `at`. */
export const withGrant = (granted: Granted, limit: Window, at: number): Granted => [
  ...granted.slice(Math.max(0, granted.length - limit.most + 1)),
  at
]

/** Time at which a request gets its turn when `ahead` other requests wait before it under the same limit. */
export const turnAt = (granted: Granted, limit: Window, ahead: number, now: number): number => {
  if (ahead === 0) return freeAt(granted, limit, now)
  const log = [...granted]
  let at = now
  for (let before = 0; ; before++) {
    at = freeAt(log, limit, at)
    if (before === ahead) return at
    log.push(at)
  }
}

/** Whether these grants no longer restrict anything. */
export const isSpent = (granted: Granted, window: number, now: number): boolean => (granted.at(-1) ?? 0) + window <= now
