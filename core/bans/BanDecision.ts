/**
 * Whether an address has broken a rule often enough to be banned. Pure: one address, one rule, the time is told.
 *
 * An offence counts while it is younger than the window. The one that fills the count bans, and starts the count
 * afresh; while the ban runs nothing counts, so an address that goes on is not banned twice. A clock that goes back
 * makes nothing of a ban end or come earlier than its event says; offences that it puts more than a window into the
 * future are forgotten.
 */
import { Duration } from "effect"

export interface BanRule {
  /** As in `security.ban.added`. */
  readonly name: string
  /** The offence that bans, counted from 1. */
  readonly count: number
  /** Within which they have to fall. */
  readonly window: Duration.Duration
  /** How long the ban lasts. */
  readonly length: Duration.Duration
}

/** What is known of an address. All times are milliseconds since 1970. */
export type BanRecord =
  /** Never `count` times: that would be a ban. */
  | { readonly _tag: "Counting"; readonly times: ReadonlyArray<number> }
  | { readonly _tag: "Banned"; readonly until: number }

export interface Decision {
  readonly record: BanRecord
  /** Said once a ban. Unit: milliseconds since 1970. */
  readonly bannedUntil: number | undefined
}

export const fresh: BanRecord = { _tag: "Counting", times: [] }

/** One more offence, `at`: milliseconds since 1970. */
export const decide = (record: BanRecord, at: number, rule: BanRule): Decision => {
  if (record._tag === "Banned" && at < record.until) return { record, bannedUntil: undefined }
  const window = Duration.toMillis(rule.window)
  const times = [...(record._tag === "Counting" ? record.times : []).filter((time) => Math.abs(at - time) < window), at]
  if (times.length < rule.count) return { record: { _tag: "Counting", times }, bannedUntil: undefined }
  const until = at + Duration.toMillis(rule.length)
  return { record: { _tag: "Banned", until }, bannedUntil: until }
}
