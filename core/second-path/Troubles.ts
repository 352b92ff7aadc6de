/**
 * Decides which troubles of the alarm path are reported, and when. Pure: no clock, no I/O; times are epoch
 * milliseconds.
 *
 * A watch repeatedly reports all its current troubles. A trouble is reported once it has lasted `after`, again every
 * `remindEvery`, and finally when it has been gone for `settle`. A trouble that returns before that continues. A
 * one-time event (`once`) is reported once and has no end. Reports that are due together form one mail, at least
 * `spacing` after the previous one, so a storm causes few mails. Sending may fail: only `told` marks notices as sent.
 */

/** A problem, as its watch currently sees it. */
export interface Trouble {
  /** Permanent name of the cause, chosen by the watch: `mailbox alarms`. */
  readonly key: string
  /** Name of the watch. Only a later report of the same watch can end the trouble. */
  readonly watch: string
  readonly since: number
  /** Minimum duration before it is reported. Unit: milliseconds; 0: immediately. */
  readonly after: number
  /** A one-time event without an end. */
  readonly once?: boolean
  /** Key of a lasting trouble that this one ends without a separate notice. */
  readonly replaces?: string
  /** Reported only when the replaced trouble was reported. */
  readonly sequel?: boolean
  /** Description in one line. Must not contain secrets, addresses or foreign text, except a bounded reason. */
  readonly what: string
  /** Recommended action, in one line. */
  readonly advice: string
}

export interface Cause {
  readonly trouble: Trouble
  /** When it was last reported; null: not yet. */
  readonly toldAt: number | null
  /** Since when the watch no longer reports it; null while it is present. */
  readonly missingSince: number | null
}

export interface State {
  readonly causes: ReadonlyMap<string, Cause>
  /** Time of the last notice; null: never. */
  readonly noticedAt: number | null
}

/** The current view of a watch. */
export interface Report {
  readonly watch: string
  readonly troubles: ReadonlyArray<Trouble>
  /** Continue troubles that were already reported here but start none: another process reports. */
  readonly onlyKnown?: boolean
  /** The watch has not seen everything yet, such as right after a start: a trouble that is not listed continues. */
  readonly partial?: boolean
}

export interface Notice {
  readonly kind: "new" | "still" | "over"
  readonly trouble: Trouble
}

/** Timing of notices. Unit: milliseconds. */
export interface Rules {
  readonly remindEvery: number
  readonly settle: number
  readonly spacing: number
}

/**
 * Default rules; `minute` is the length of a minute in milliseconds. Reasons: about two reminders per shift; a flapping
 * link is one trouble; at most 12 mails an hour.
 */
export const rulesOf = (minute: number): Rules => ({
  remindEvery: 240 * minute,
  settle: 5 * minute,
  spacing: 5 * minute
})

/** Maximum number of tracked causes. Reason: each is one line of a mail, and a thousand lines are enough. */
export const mostCauses = 1_000

export const empty: State = { causes: new Map(), noticedAt: null }

/** Applies the reports and returns the due notices. The returned state does not mark them as sent. */
export const decide = (
  before: State,
  reports: ReadonlyArray<Report>,
  now: number,
  rules: Rules
): { readonly state: State; readonly notices: ReadonlyArray<Notice> } => {
  const state = reports.reduce((held, report) => taken(held, report, now), ofThisClock(before, now))
  const quiet = state.noticedAt !== null && now - state.noticedAt < rules.spacing
  return { state, notices: quiet ? [] : [...state.causes.values()].flatMap((cause) => noticeOf(cause, now, rules)) }
}

/** The state after these notices were sent. */
export const told = (state: State, notices: ReadonlyArray<Notice>, now: number): State => {
  const causes = new Map(state.causes)
  for (const { kind, trouble } of notices) {
    const cause = causes.get(trouble.key)
    if (cause === undefined) continue
    if (kind === "over") causes.delete(trouble.key)
    else causes.set(trouble.key, { ...cause, toldAt: now })
  }
  return { causes, noticedAt: now }
}

const noticeOf = ({ missingSince, toldAt, trouble }: Cause, now: number, rules: Rules): ReadonlyArray<Notice> => {
  if (toldAt === null) return now - trouble.since >= trouble.after ? [{ kind: "new", trouble }] : []
  if (trouble.once === true) return []
  if (missingSince !== null) return now - missingSince >= rules.settle ? [{ kind: "over", trouble }] : []
  return now - toldAt >= rules.remindEvery ? [{ kind: "still", trouble }] : []
}

/** Applies one report to the causes. */
const taken = (state: State, { onlyKnown = false, partial = false, troubles, watch }: Report, now: number): State => {
  const causes = new Map(state.causes)
  const seen = new Map(troubles.map((trouble) => [trouble.key, trouble]))
  for (const [key, cause] of causes) {
    if (cause.trouble.watch !== watch) continue
    const isTold = cause.toldAt !== null
    if (onlyKnown && !isTold) causes.delete(key)
    else if (seen.has(key) || partial) continue
    else if (isTold === (cause.trouble.once === true)) causes.delete(key)
    else if (isTold) causes.set(key, { ...cause, missingSince: cause.missingSince ?? now })
  }
  for (const [key, trouble] of seen) {
    const cause = causes.get(key)
    if (cause !== undefined) {
      // A reported trouble keeps its start time, even if its watch missed it in between.
      const since = cause.toldAt === null ? trouble.since : cause.trouble.since
      causes.set(key, { ...cause, trouble: { ...trouble, since }, missingSince: null })
    } else if (trouble.sequel === true && (causes.get(trouble.replaces ?? "")?.toldAt ?? null) === null) continue
    else if (!onlyKnown && causes.size < mostCauses) causes.set(key, { trouble, toldAt: null, missingSince: null })
    if (trouble.replaces !== undefined && !seen.has(trouble.replaces) && causes.has(key))
      causes.delete(trouble.replaces)
  }
  return { ...state, causes }
}

/** Limits recorded times to the present, because times in the future (the clock was set back) would delay notices. */
const ofThisClock = (state: State, now: number): State => {
  const past = (at: number | null) => (at === null ? null : Math.min(at, now))
  const causes = new Map(
    Array.from(state.causes, ([key, cause]) => [
      key,
      { ...cause, toldAt: past(cause.toldAt), missingSince: past(cause.missingSince) }
    ])
  )
  return { causes, noticedAt: state.noticedAt !== null && state.noticedAt > now ? null : state.noticedAt }
}
