/**
 * Decides whether an address is to be banned under one rule. Pure: state and time are arguments.
 *
 * An offence counts while it is younger than the window. The offence that reaches the count causes the ban and resets
 * the counter. Offences during a ban do not count, so a ban is not repeated. A clock set back neither ends a ban early
 * nor starts one early; offences more than a window in the future are forgotten.
 */
import { Duration } from "effect"

export interface BanRule {
  /** Rule name, as in `security.ban.added`. */
  readonly name: string
  /** Number of offences that cause a ban. */
  readonly count: number
  /** Time window in which the offences must occur. */
  readonly window: Duration.Duration
  /** Duration of the ban. */
  readonly length: Duration.Duration
}

/** State of an address. Times are epoch milliseconds. */
export type BanRecord =
  /** Fewer than `count` offences; more would be a ban. */
  | { readonly _tag: "Counting"; readonly times: ReadonlyArray<number> }
  | { readonly _tag: "Banned"; readonly until: number }

export interface Decision {
  readonly record: BanRecord
  /** End of a new ban; set once per ban. Unit: epoch milliseconds. */
  readonly bannedUntil: number | undefined
}

export const fresh: BanRecord = { _tag: "Counting", times: [] }

/** Applies one more offence. `at`: epoch milliseconds. */
export const decide = (record: BanRecord, at: number, rule: BanRule): Decision => {
  if (record._tag === "Banned" && at < record.until) return { record, bannedUntil: undefined }
  const window = Duration.toMillis(rule.window)
  const times = [...(record._tag === "Counting" ? record.times : []).filter((time) => Math.abs(at - time) < window), at]
  if (times.length < rule.count) return { record: { _tag: "Counting", times }, bannedUntil: undefined }
  const until = at + Duration.toMillis(rule.length)
  return { record: { _tag: "Banned", until }, bannedUntil: until }
}
