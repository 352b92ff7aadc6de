/**
 * When a domain is due, without a word written down for it. Pure. Each has a class (how many minutes lie between two
 * looks) and a phase, its place within them: a number in [0, 1) that it was given by chance, so that looks are spread
 * evenly. In class `every` it is due at those moments of wall time that divide by the class's length with the remainder
 * phase × length. A shard knows how far it has come in each class, and takes what lies between there and now.
 */

/**
 * How much faster than the clock missed time is caught up, where nothing holds it up. Reason: a day's looks are not to
 * come as one burst.
 */
export const catchUp = 4

/** A part of one class's circle: phases above `above` up to and with `upTo`. */
export interface Arc {
  readonly every: number
  readonly above: number
  readonly upTo: number
}

export interface Window {
  readonly every: number
  /** Where the class stands once this is done, also where there is nothing to do. Unit: milliseconds since 1970. */
  readonly until: number
  /** None, one, or two where the circle begins anew. */
  readonly arcs: ReadonlyArray<Arc>
}

/** Below every phase. */
const before = -1

/**
 * How far clocks of several machines may differ. Unit: milliseconds. Reason: a shard that moves between them must not
 * begin anew.
 */
export const skew = 60_000

/**
 * What to take next. `until`: how far the class has come, undefined when it never began. `length`: of the
 * class, `step`: most to take at once. Unit of all: milliseconds.
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
 * Of missed time the last interval at most is caught up, and from the same place in the circle: so that also those who
 * cannot keep up take all domains in turn. A clock that was set back begins anew from there, as what it repeats may be
 * the longer.
 */
const startOf = (until: number | undefined, now: number, length: number): number => {
  if (until === undefined || until > now + skew) return now
  return until >= now - length ? until : until + Math.floor((now - until) / length) * length
}

const arcsOf = (every: number, from: number, to: number, length: number): ReadonlyArray<Arc> => {
  const [above, upTo] = [placeOf(from, length), placeOf(to, length)]
  // Anything that begins and ends at one place is the whole circle, as nothing is none.
  return above < upTo
    ? [{ every, above, upTo }]
    : [
        { every, above, upTo: 1 },
        { every, above: before, upTo }
      ]
}

/** Where a moment lies in a class of that length: the phase of what is due then. */
export const placeOf = (at: number, length: number): number => (at % length) / length
