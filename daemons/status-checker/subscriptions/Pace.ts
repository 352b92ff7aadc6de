/** Spreads what is sent over time. Pure but for the slot it remembers. */

/**
 * When the next one may go: never closer than `60 / perMinute` seconds to the one before. `now` and the answer in
 * milliseconds of the same clock.
 */
export const make = (perMinute: number): ((now: number) => number) => {
  const apart = 60_000 / perMinute
  let next = -Infinity
  return (now) => {
    const slot = Math.max(now, next)
    next = slot + apart
    return slot
  }
}
