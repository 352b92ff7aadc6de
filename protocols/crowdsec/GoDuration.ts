/** Durations in the syntax of Go (package time), which CrowdSec writes: `3h59m57.7s`, `-1.5s`. Pure. */

/** Milliseconds in each unit. */
const units: ReadonlyMap<string, number> = new Map([
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1_000],
  ["ms", 1],
  ["us", 1e-3],
  ["µs", 1e-3],
  ["μs", 1e-3],
  ["ns", 1e-6]
])

/** Longest text that is read. Unit: characters. Reason: the longest duration of Go has 25. */
const maxText = 40

const shape = /^([+-]?)((?:\d+(?:\.\d*)?(?:h|ms|m|s|us|\u00b5s|\u03bcs|ns))+)$/

/** The duration in milliseconds; undefined when the text is none. Go has no days. */
export const parseGoDuration = (text: string): number | undefined => {
  if (text === "0") return 0
  const found = text.length > maxText ? null : shape.exec(text)
  if (found === null) return undefined
  let total = 0
  for (const [, value, unit] of found[2]!.matchAll(/(\d+(?:\.\d*)?)(h|ms|m|s|us|\u00b5s|\u03bcs|ns)/g))
    total += Number(value) * units.get(unit!)!
  return found[1] === "-" ? -total : total
}

/** Whole seconds, for `since` of a query. */
export const goSeconds = (milliseconds: number): string => `${Math.max(0, Math.ceil(milliseconds / 1_000))}s`
