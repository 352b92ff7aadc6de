/** Durations on the command line: `30m`, `12h`, `7d`. Pure. */

const seconds: Readonly<Record<string, number>> = { m: 60, h: 3_600, d: 86_400 }

/** The duration in seconds; undefined for another text. */
export const parseSeconds = (text: string): number | undefined => {
  const [, value, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? []
  return value === undefined || Number(value) === 0 ? undefined : Number(value) * seconds[unit!]!
}

export const durationProblem = (text: string): string | undefined =>
  parseSeconds(text) === undefined ? "is no duration such as 12h" : undefined
