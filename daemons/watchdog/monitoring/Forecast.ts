/** When a disk will be full, by a straight line through its last fill levels. Pure. */

export interface FillLevel {
  /** Unit: milliseconds since 1970. */
  readonly at: number
  /** Unit: bytes. */
  readonly used: number
}

/** Time that the line looks back. Unit: hours. Reason: longer than one backup, shorter than a day's rhythm. */
export const lookBack = 6

/** Shortest time between the first and the last level. Unit: hours. Reason: less is a single copied file. */
export const shortestSpan = 1

/** Fewest levels. */
const fewest = 4

/** Share of the variance that the line explains. Below, the disk fills and empties, and the line says nothing. */
const leastFit = 0.8

const hour = 3_600_000

/**
 * Hours until `free` bytes are used, and the rate in bytes an hour; undefined when the disk does not fill steadily.
 * `levels`: oldest first.
 */
export const forecast = (
  levels: ReadonlyArray<FillLevel>,
  free: number
): { readonly hours: number; readonly rate: number } | undefined => {
  const last = levels.at(-1)
  if (last === undefined) return undefined
  const recent = levels.filter(({ at }) => at <= last.at && at >= last.at - lookBack * hour)
  if (recent.length < fewest || last.at - recent[0]!.at < shortestSpan * hour) return undefined
  const points = recent.map(({ at, used }) => ({ x: (at - last.at) / hour, y: used }))
  const mean = (of: (point: { readonly x: number; readonly y: number }) => number) =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length
  const [x, y] = [mean((point) => point.x), mean((point) => point.y)]
  const xx = mean((point) => (point.x - x) ** 2)
  const xy = mean((point) => (point.x - x) * (point.y - y))
  const yy = mean((point) => (point.y - y) ** 2)
  if (xx === 0 || yy === 0) return undefined
  const rate = xy / xx
  const fit = xy ** 2 / (xx * yy)
  return rate > 0 && fit >= leastFit ? { hours: Math.max(0, free) / rate, rate } : undefined
}

/** Levels to keep after one more: those of the time that a forecast looks back, thinned to one a `step`. */
export const withLevel = (
  levels: ReadonlyArray<FillLevel>,
  level: FillLevel,
  step: number
): ReadonlyArray<FillLevel> => {
  const kept = levels.filter(({ at }) => at > level.at - lookBack * hour && at <= level.at)
  const before = kept.at(-2)
  // Replaces the newest level while it is closer to its predecessor than `step`.
  return before !== undefined && kept.at(-1)!.at - before.at < step ? [...kept.slice(0, -1), level] : [...kept, level]
}
