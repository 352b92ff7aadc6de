/**
 * Moves decisions and payments from replaced transactions to those that replace them, so that a booking that the bank
 * reports twice is paid once.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** A booking as far as two reports of it can be compared. Amounts: minor units. */
export interface Booking {
  readonly id: string
  readonly amount: number
  readonly currency: string
  readonly booked_on: string
  readonly bank_reference: string | null
  readonly end_to_end_id: string | null
  readonly counter_iban: string | null
  readonly text: string
}

export interface Pair {
  readonly old: string
  readonly new: string
}

/**
 * Maximum number of days between two reports of one booking. Reason: a weekend with holidays, as from Good Friday to
 * Tuesday.
 */
const maxDays = 5

/**
 * Replaced bookings with those that replace them, one to one. Both lists are in the order of the bank. Rules from the
 * safest to the weakest; each pairs what the rules before it left, and equal twins in their order. The amount is always
 * equal. Pure and deterministic.
 */
export const pairs = (replaced: ReadonlyArray<Booking>, replacing: ReadonlyArray<Booking>): ReadonlyArray<Pair> => {
  const found: Array<Pair> = []
  let olds = replaced
  let news = replacing
  for (const { key, unique } of rules) {
    if (olds.length === 0 || news.length === 0) break
    const byKey = grouped(news, key)
    const oldByKey = unique ? grouped(olds, key) : undefined
    const used = new Set<Booking>()
    for (const old of olds) {
      const value = keyed(old, key)
      const candidates = value === undefined ? undefined : byKey.get(value)
      if (candidates === undefined) continue
      if (unique && (candidates.length > 1 || oldByKey?.get(value!)?.length !== 1)) continue
      const next = candidates.find((one) => !used.has(one) && isNear(old, one))
      if (next === undefined) continue
      used.add(next)
      used.add(old)
      found.push({ old: old.id, new: next.id })
    }
    olds = olds.filter((one) => !used.has(one))
    news = news.filter((one) => !used.has(one))
  }
  return found
}

interface Rule {
  /** Values that must be equal; undefined when the booking lacks one of them. */
  readonly key: (booking: Booking) => ReadonlyArray<string | null> | undefined
  /** Whether the rule only holds when one booking of each side has the key. */
  readonly unique: boolean
}

const needs = (...values: ReadonlyArray<string | null>) =>
  values.every((value) => value !== null && value !== "") ? values : undefined

const compact = (text: string) => text.replace(/\s+/g, "").toUpperCase()

const rules: ReadonlyArray<Rule> = [
  {
    key: (one) => {
      const reference = needs(one.bank_reference)
      return reference && [...reference, one.end_to_end_id, one.counter_iban, compact(one.text)]
    },
    unique: false
  },
  {
    key: (one) => {
      const reference = needs(one.bank_reference)
      return reference && [...reference, one.end_to_end_id]
    },
    unique: false
  },
  {
    key: (one) => {
      const id = needs(one.end_to_end_id)
      return id && [...id, one.counter_iban]
    },
    unique: false
  },
  { key: (one) => [one.counter_iban, compact(one.text)], unique: false },
  { key: (one) => needs(one.counter_iban), unique: false },
  // Without an IBAN, such as a card payment whose text changes when it is booked.
  { key: () => [], unique: true }
]

const keyed = (booking: Booking, key: Rule["key"]): string | undefined => {
  const values = key(booking)
  return values === undefined ? undefined : JSON.stringify([booking.amount, booking.currency, ...values])
}

const grouped = (bookings: ReadonlyArray<Booking>, key: Rule["key"]) => {
  const groups = new Map<string, Array<Booking>>()
  for (const booking of bookings) {
    const value = keyed(booking, key)
    if (value === undefined) continue
    const group = groups.get(value)
    if (group === undefined) groups.set(value, [booking])
    else group.push(booking)
  }
  return groups
}

const isNear = (a: Booking, b: Booking): boolean =>
  Math.abs(Date.parse(a.booked_on) - Date.parse(b.booked_on)) <= maxDays * 86_400_000

/** Statuses that hold a decision. A suggestion is none: it is made again for the replacing row. */
export const decidedStatuses = ["auto_matched", "manual_matched", "partial", "ignored"] as const

/** Moves what was decided, and the payments. Runs in the surrounding transaction, which holds the rows. */
export const moveMatches = Effect.fnUntraced(function* (moved: ReadonlyArray<Pair>) {
  if (moved.length === 0) return
  const sql = yield* SqlClient.SqlClient
  const table = sql`jsonb_to_recordset(${JSON.stringify(moved)}::text::jsonb) as p (old uuid, new uuid)`
  yield* sql`update bank_fetcher.transaction n set reconciliation_status = o.reconciliation_status,
      matched = o.matched, suggestion = o.suggestion, ignored_reason = o.ignored_reason, version = n.version + 1,
      updated_at = now()
    from ${table} join bank_fetcher.transaction o on o.id = p.old
    where n.id = p.new and ${sql.in("o.reconciliation_status", decidedStatuses)}`
  yield* sql`update bank_fetcher.payment y set transaction_id = p.new, updated_at = now()
    from ${table} where y.transaction_id = p.old`
  yield* sql`update bank_fetcher.decision d set transaction_id = p.new from ${table} where d.transaction_id = p.old`
  yield* sql`update bank_fetcher.transaction o set replaced_by = p.new, current = false, matched = 0,
      reconciliation_status = 'unmatched', suggestion = null, ignored_reason = null, version = o.version + 1,
      updated_at = now()
    from ${table} where o.id = p.old`
})
