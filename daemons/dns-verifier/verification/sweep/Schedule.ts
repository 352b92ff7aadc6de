/**
 * Computes when a domain is due, without stored due times. Pure. A domain has an interval class (minutes between
 * checks) and a random phase in [0, 1), so that checks spread evenly. It is due when wall time modulo the interval
 * equals phase × interval. A shard stores its progress per class and checks everything between that time and now.
 */

/**
 * Speed of catching up on missed time, as a multiple of the clock. Reason: avoids one burst of checks after a day's
 * outage.
 */
export const catchUp = 4

/** Range of phases in one class: above `above`, up to and including `upTo`. */
export interface Arc {
  readonly every: number
  readonly above: number
  readonly upTo: number
}

export interface Window {
  readonly every: number
  /** Progress of the class after this window. Unit: milliseconds since 1970. */
  readonly until: number
  /** No arc, one, or two when the window wraps around. */
  readonly arcs: ReadonlyArray<Arc>
}

/** Less than every phase. */
const before = -1

/**
 * Tolerated clock difference between machines. Unit: milliseconds. Reason: a shard that moves between them must keep
 * its progress.
 */
export const skew = 60_000

/**
 * The next window. `until`: progress of the class, undefined before its first window. `length`: interval of the class.
 * `step`: longest window. Unit of all: milliseconds.
 */
export const windowOf = (
  every: number,
  until: number | undefined,
  now: number,
  length: number,
  step: number
): Window => {
  const from = startOf(until, now, length)
  const to = Math.max(from, Math.min(now, from + Math.min(step, length)))
  return { every, until: to, arcs: to === from ? [] : arcsOf(every, from, to, length) }
}

/**
 * Start of the window. Catches up on one interval at most, from the same position in the circle, so that an overloaded
 * shard still reaches every domain. If the clock was set back, it starts from now.
 */
const startOf = (until: number | undefined, now: number, length: number): number => {
  if (until === undefined || until > now + skew) return now
  return until >= now - length ? until : until + Math.floor((now - until) / length) * length
}

const arcsOf = (every: number, from: number, to: number, length: number): ReadonlyArray<Arc> => {
  const [above, upTo] = [placeOf(from, length), placeOf(to, length)]
  // Equal start and end mean the whole circle, because an empty window has no arcs.
  return above < upTo
    ? [{ every, above, upTo }]
    : [
        { every, above, upTo: 1 },
        { every, above: before, upTo }
      ]
}

/** Phase that is due at a moment, for an interval length. */
export const placeOf = (at: number, length: number): number => (at % length) / length
