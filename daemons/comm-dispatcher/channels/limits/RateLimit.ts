/**
 * How often one may send: at most `most` in any `window`. Pure; times are epoch milliseconds.
 *
 * Kept are the times of the last grants themselves, not a level of tokens: the limits here are said as "so many in such a
 * time", and a bucket that is full after a quiet minute would let nearly twice as many through in the next.
 */

export interface Limit {
  /** What is counted together. */
  readonly key: string
  /** Unit: grants within `window`. */
  readonly most: number
  /** Unit: milliseconds. */
  readonly window: number
}

/** When the last grants under one limit were, oldest first; at most `most` of them. */
export type Granted = ReadonlyArray<number>

/** The earliest time, `now` or later, at which one more stays within the limit. */
export const freeAt = (granted: Granted, limit: Limit, now: number): number => {
  const oldest = granted[granted.length - limit.most]
  return oldest === undefined ? now : Math.max(now, oldest + limit.window)
}

/** With one more grant at `at`. */
export const withGrant = (granted: Granted, limit: Limit, at: number): Granted => [
  ...granted.slice(Math.max(0, granted.length - limit.most + 1)),
  at
]

/** When it is the turn of one behind whom `ahead` others wait for the same limit. */
export const turnAt = (granted: Granted, limit: Limit, ahead: number, now: number): number => {
  if (ahead === 0) return freeAt(granted, limit, now)
  const log = [...granted]
  let at = now
  for (let before = 0; ; before++) {
    at = freeAt(log, limit, at)
    if (before === ahead) return at
    log.push(at)
  }
}

/** Whether these grants no longer hold anything back. */
export const isSpent = (granted: Granted, window: number, now: number): boolean => (granted.at(-1) ?? 0) + window <= now
