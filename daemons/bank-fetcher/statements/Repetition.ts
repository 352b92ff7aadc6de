/** Whether a statement is known already, or which ones it replaces. Pure. */

export interface Known {
  readonly id: string
  readonly file_id: string
  readonly format: string
  readonly number: number | null
  readonly page: number | null
  readonly opening: number | null
  readonly closing: number | null
  /** Last day. */
  readonly day: string | null
  readonly created: string | null
  readonly fingerprint: string | null
}

export type Repetition =
  /** A statement with the same content is stored; this one is not stored. */
  | { readonly _tag: "Known"; readonly by: string }
  /** The statement replaces these as a whole. `again`: because it has the same number with another content. */
  | { readonly _tag: "Replaces"; readonly old: ReadonlyArray<string>; readonly again: boolean }
  /** The statement is older than this one: it is stored as replaced. */
  | { readonly _tag: "Outdated"; readonly by: string }
  | { readonly _tag: "New"; readonly again: boolean }

export type Candidate = Omit<Known, "id">

const isCamt = (format: string) => format.startsWith("camt")

const sameBalances = (a: Candidate, b: Candidate) =>
  a.opening === b.opening && a.closing === b.closing && a.opening !== null && a.closing !== null

/**
 * End-of-day statements of one account and currency. `stored`: current ones of the same last day, or of the same number
 * and year. The same day in MT and camt is one statement, of which camt says more.
 */
export const endOfDay = (next: Candidate, stored: ReadonlyArray<Known>): Repetition => {
  const sameDay = stored.filter((one) => one.day === next.day)
  const equal = sameDay.find(
    (one) => one.fingerprint === next.fingerprint && one.opening === next.opening && one.closing === next.closing
  )
  if (equal !== undefined) return { _tag: "Known", by: equal.id }
  const others = sameDay.filter((one) => isCamt(one.format) !== isCamt(next.format) && sameBalances(one, next))
  if (others.length > 0)
    return isCamt(next.format)
      ? { _tag: "Replaces", old: others.map(({ id }) => id), again: false }
      : { _tag: "Known", by: others[0]!.id }
  const sameNumber = (one: Known) => next.number !== null && one.number === next.number && one.page === next.page
  // Parts of a day begin with different balances; a correction begins with the same.
  const corrected = sameDay.filter((one) => sameNumber(one) && one.opening === next.opening)
  if (corrected.length > 0) return { _tag: "Replaces", old: corrected.map(({ id }) => id), again: true }
  return { _tag: "New", again: stored.some(sameNumber) }
}

/**
 * Reports during the day, of one account and currency. `stored`: current ones of the same day; `covering`: the
 * end-of-day statement that contains the day. Each report contains those before it, so it replaces them as a whole.
 */
export const intraday = (next: Candidate, stored: ReadonlyArray<Known>, covering: string | undefined): Repetition => {
  if (covering !== undefined) return { _tag: "Outdated", by: covering }
  // Parts of one report: of the same file, or further pages.
  const others = stored.filter(
    (one) =>
      one.file_id !== next.file_id &&
      !(next.number !== null && one.number === next.number && next.page !== null && one.page !== next.page)
  )
  const equal = others.find(
    (one) => one.fingerprint === next.fingerprint && one.created === next.created && one.closing === next.closing
  )
  if (equal !== undefined) return { _tag: "Known", by: equal.id }
  const newer = others.find((one) => isAfter(one.created, next.created))
  if (newer !== undefined) return { _tag: "Outdated", by: newer.id }
  return others.length === 0
    ? { _tag: "New", again: false }
    : { _tag: "Replaces", old: others.map(({ id }) => id), again: false }
}

/** Whether the bank wrote `a` after `b`. Without both times, the order of the arrival counts. */
const isAfter = (a: string | null, b: string | null): boolean => {
  const [first, second] = [Date.parse(a ?? ""), Date.parse(b ?? "")]
  return !Number.isNaN(first) && !Number.isNaN(second) && first > second
}
