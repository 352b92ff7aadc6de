/** Durations on the command line: `30m`, `12h`, `7d`, and `86400s` of programs. Pure. */

const seconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 }

/** The duration in seconds; undefined for another text. */
export const parseSeconds = (text: string): number | undefined => {
  const [, value, unit] = /^(\d{1,8})([smhd])$/.exec(text) ?? []
  return value === undefined || Number(value) === 0 ? undefined : Number(value) * seconds[unit!]!
}

export const durationProblem = (text: string): string | undefined =>
  parseSeconds(text) === undefined ? "is no duration such as 12h" : undefined
