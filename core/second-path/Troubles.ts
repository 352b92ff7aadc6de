/**
 * Which troubles of the alarm path are told, and when. Pure: no clock, no I/O; times are epoch milliseconds.
 *
 * A watch reports everything that is wrong in its view, again and again. A trouble is told once it has lasted `after`,
 * then again every `remindEvery`, and once more when it has been over for `settle`; one that comes back before that is
 * the same trouble still. One that only happened (`once`) is told one time and has no end; it waits here until it is
 * told. What becomes due together is told together, and not before `spacing` after the last notice: a storm is a few
 * mails. Telling may fail: only `told` marks a notice as told.
 */

/** Something wrong, as its watch sees it now. */
export interface Trouble {
  /** Names the cause for good, in the words of its watch: `mailbox alarms`. */
  readonly key: string
  /** Who reports it: only that watch's next report can say that it is over. */
  readonly watch: string
  readonly since: number
  /** How long it must last to be told. Unit: milliseconds; 0: at once. */
  readonly after: number
  /** It happened, and has no end. */
  readonly once?: boolean
  /** Key of a lasting trouble that this one ends, without a word that it was resolved. */
  readonly replaces?: string
  /** Worth a word only to those who were told of what it replaces. */
  readonly sequel?: boolean
  /** What is wrong, one line; never a secret, an address or a text of somebody else beyond a bounded reason. */
  readonly what: string
  /** What to do, one line. */
  readonly advice: string
}

export interface Cause {
  readonly trouble: Trouble
  /** Null: not told yet. */
  readonly toldAt: number | null
  /** Since when its watch no longer sees it. */
  readonly missingSince: number | null
}

export interface State {
  readonly causes: ReadonlyMap<string, Cause>
  /** When the last notice went out; null: never. */
  readonly noticedAt: number | null
}

/** A watch's whole view. */
export interface Report {
  readonly watch: string
  readonly troubles: ReadonlyArray<Trouble>
  /** Go on with what was told here and begin nothing: somebody else tells. */
  readonly onlyKnown?: boolean
}

export interface Notice {
  readonly kind: "new" | "still" | "over"
  readonly trouble: Trouble
}

/** Unit: milliseconds. */
export interface Rules {
  readonly remindEvery: number
  readonly settle: number
  readonly spacing: number
}

/**
 * The rules in minutes. Reasons: a shift is reminded about twice; a link that flaps is one trouble; a storm is 12 mails
 * an hour.
 */
export const rulesOf = (minute: number): Rules => ({
  remindEvery: 240 * minute,
  settle: 5 * minute,
  spacing: 5 * minute
})

/** Causes that are held. Reason: each is told by one line of a mail; a thousand say what ten thousand would. */
export const mostCauses = 1_000

export const empty: State = { causes: new Map(), noticedAt: null }

/** What is to be told now. The state answered knows what was reported, and holds nothing for told. */
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

/** The state after these notices went out. */
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

/** What one report makes of the causes. */
const taken = (state: State, { onlyKnown = false, troubles, watch }: Report, now: number): State => {
  const causes = new Map(state.causes)
  const seen = new Map(troubles.map((trouble) => [trouble.key, trouble]))
  for (const [key, cause] of causes) {
    if (cause.trouble.watch !== watch) continue
    const isTold = cause.toldAt !== null
    if (onlyKnown && !isTold) causes.delete(key)
    else if (seen.has(key)) continue
    else if (isTold === (cause.trouble.once === true)) causes.delete(key)
    else if (isTold) causes.set(key, { ...cause, missingSince: cause.missingSince ?? now })
  }
  for (const [key, trouble] of seen) {
    const cause = causes.get(key)
    if (cause !== undefined) {
      // Told: it has lasted since it was told of, whatever gap its watch saw in between.
      const since = cause.toldAt === null ? trouble.since : cause.trouble.since
      causes.set(key, { ...cause, trouble: { ...trouble, since }, missingSince: null })
    } else if (trouble.sequel === true && (causes.get(trouble.replaces ?? "")?.toldAt ?? null) === null) continue
    else if (!onlyKnown && causes.size < mostCauses) causes.set(key, { trouble, toldAt: null, missingSince: null })
    if (trouble.replaces !== undefined && !seen.has(trouble.replaces) && causes.has(key))
      causes.delete(trouble.replaces)
  }
  return { ...state, causes }
}

/** Times of a clock that was set back since would hold notices up until it is there again. */
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
