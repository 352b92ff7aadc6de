/**
 * Writes the decisions about some transactions with few statements, in the surrounding transaction with its role. A
 * transaction that somebody else has decided about in the meantime keeps that decision. A payment that its invoice no
 * longer allows is not made.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { TransactionMatched } from "#core/contracts/Bank.ts"
import { Events } from "#core/events/Events.ts"
import { decimalOf } from "../bank-store/Money.ts"
import { allocationsOf, createPayments, type MadePayment } from "../invoices/Exports.ts"
import type { Outcome } from "./Outcome.ts"
import { stored, type StoredReason } from "./ReasonText.ts"
import { takeBackReturns } from "./Returns.ts"
import { isSame, type StoredSuggestion, storedSuggestion } from "./StoredSuggestion.ts"
import { automatic, type Row } from "./TransactionRows.ts"

export const source = "bank-fetcher"

/** A transaction with what was decided about it. */
export interface Decided {
  readonly row: Row
  readonly outcome: Outcome
}

/** Transactions by their state after the chunk. `conflicts`: decisions that an invoice no longer allowed. */
export interface Counts {
  readonly auto_matched: number
  readonly suggested: number
  readonly ignored: number
  readonly unmatched: number
  readonly conflicts: number
}

/** A change of one transaction. */
interface Change {
  readonly row: Row
  readonly status: Row["status"]
  readonly matched: number
  readonly suggestion: StoredSuggestion | null
  readonly ignoredReason: string | null
}

/** A new decision. */
interface NewDecision {
  readonly row: Row
  readonly kind: "auto" | "ignored"
  readonly confidence: number | null
  readonly strategies: ReadonlyArray<string>
  readonly reasons: ReadonlyArray<StoredReason>
  readonly payment: Pick<MadePayment, "id" | "allocations"> | undefined
  readonly returns: string | null
}

/** State of a transaction that undo restores. */
export const beforeOf = ({ ignoredReason, matched, status, suggestion }: Row) => ({
  status,
  matched,
  suggestion,
  ignored_reason: ignoredReason
})

/** Writes the decisions; returns what became of the transactions. */
export const write = Effect.fnUntraced(function* (tenantId: number, decided: ReadonlyArray<Decided>) {
  const unchanged = yield* lockUnchanged(decided.map(({ row }) => row))
  const ours = decided.filter(({ row }) => unchanged.has(row.id))
  const decisions: Array<NewDecision> = []
  const changes: Array<Change> = []
  const counts = { auto_matched: 0, suggested: 0, ignored: 0, unmatched: 0, conflicts: 0 }
  const change = (row: Row, next: Partial<Omit<Change, "row">> & Pick<Change, "status">) => {
    const { matched = 0, status, suggestion = null, ignoredReason = null } = next
    if (status === "unmatched" || status === "suggested" || status === "ignored") counts[status]++
    else counts.auto_matched++
    if (status !== row.status || !isSame(suggestion, row.suggestion))
      changes.push({ row, status, matched, suggestion, ignoredReason })
  }
  const matches = ours.flatMap(({ outcome, row }) => (outcome.kind === "match" ? [{ row, ...outcome }] : []))
  const payments = yield* createPayments(
    tenantId,
    matches.map(({ row, suggestion }) => ({
      source: "bank",
      transactionId: row.id,
      amount: row.amount,
      currency: row.currency,
      paidOn: row.bookedOn,
      allocations: allocationsOf(suggestion.allocations, row)
    }))
  )
  const open = yield* stillOpen(
    payments.flatMap((payment) => ("reason" in payment ? [] : payment.allocations.map(({ invoiceId }) => invoiceId)))
  )
  for (const [at, { row, suggestion }] of matches.entries()) {
    const payment = payments[at]!
    if ("reason" in payment) {
      counts.conflicts++
      continue
    }
    const { confidence, reasons, strategies } = suggestion
    decisions.push({
      row,
      kind: "auto",
      confidence,
      strategies,
      reasons: reasons.map((reason) => stored(reason, row.currency)),
      payment,
      returns: null
    })
    change(row, {
      status: payment.allocations.some(({ invoiceId }) => open.has(invoiceId)) ? "partial" : "auto_matched",
      matched: row.amount - payment.unassigned
    })
  }
  const returned = yield* takeBackReturns(
    tenantId,
    ours.flatMap(({ outcome, row }) => (outcome.kind === "return" ? [row] : []))
  )
  for (const { outcome, row } of ours) {
    if (outcome.kind === "suggest")
      change(row, { status: "suggested", suggestion: storedSuggestion(outcome.suggestion, row.currency) })
    else if (outcome.kind === "none") change(row, { status: "unmatched" })
    else if (outcome.kind === "ignore") {
      const empty = { confidence: null, strategies: [], reasons: [], payment: undefined, returns: null }
      decisions.push({ row, kind: "ignored", ...empty })
      change(row, { status: "ignored", ignoredReason: outcome.code })
    } else if (outcome.kind === "return") {
      const found = returned.get(row.id)
      if (found === undefined) {
        change(row, { status: "unmatched" })
        continue
      }
      const { payment, returns } = found
      const reasons = payment.allocations.map(({ number }) => ({ code: "return_of", number }) as const)
      decisions.push({ row, kind: "auto", confidence: 100, strategies: [], reasons, payment, returns })
      change(row, { status: "auto_matched", matched: row.amount - payment.unassigned })
    }
  }
  yield* insertDecisions(tenantId, decisions)
  yield* updateTransactions(changes)
  yield* announce(tenantId, decisions, new Map(changes.map(({ row, status }) => [row.id, status])))
  return counts as Counts
})

/** Ids of the rows that still wait for a decision and have not changed; locked in the order of their ids. */
const lockUnchanged = Effect.fnUntraced(function* (rows: ReadonlyArray<Row>) {
  const sql = yield* SqlClient.SqlClient
  const locked = yield* sql<{ id: string; version: number }>`select id, version from bank_fetcher.transaction
    where id = any(${rows.map(({ id }) => id)}::uuid[]) and current
      and reconciliation_status in ('unmatched', 'suggested')
    order by id for update`
  const versions = new Map(locked.map(({ id, version }) => [id, version]))
  return new Set(rows.filter(({ id, version }) => versions.get(id) === version).map(({ id }) => id))
})

/** Those of the invoices that are not settled wholly. */
export const stillOpen = Effect.fnUntraced(function* (invoices: ReadonlyArray<string>) {
  if (invoices.length === 0) return new Set<string>()
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ id: string }>`select id from bank_fetcher.invoice
    where id = any(${invoices}::uuid[]) and status in ('open', 'partial')`
  return new Set(rows.map(({ id }) => id))
})

/** Ids of the invoices as the text of a Postgres array, because the client sends no arrays of arrays. */
const idArray = (allocations: MadePayment["allocations"]) =>
  `{${allocations.map(({ invoiceId }) => invoiceId).join(",")}}`

const insertDecisions = Effect.fnUntraced(function* (tenantId: number, decisions: ReadonlyArray<NewDecision>) {
  if (decisions.length === 0) return
  const sql = yield* SqlClient.SqlClient
  const column = (read: (decision: NewDecision) => string) => decisions.map(read)
  yield* sql`insert into bank_fetcher.decision (id, tenant_id, transaction_id, kind, confidence, strategies, reasons,
      payment_id, returns, invoices, before, decided_by)
    select id::uuid, ${tenantId}::int, transaction_id::uuid, kind, nullif(confidence, '')::int, strategies::jsonb,
      reasons::jsonb, nullif(payment_id, '')::uuid, nullif(returns, '')::uuid, invoices::uuid[], before::jsonb,
      ${automatic}
    from unnest(${column(() => randomUUID())}::text[], ${column(({ row }) => row.id)}::text[],
      ${column(({ kind }) => kind)}::text[], ${column(({ confidence }) => String(confidence ?? ""))}::text[],
      ${column(({ strategies }) => JSON.stringify(strategies))}::text[],
      ${column(({ reasons }) => JSON.stringify(reasons))}::text[],
      ${column(({ payment }) => payment?.id ?? "")}::text[], ${column(({ returns }) => returns ?? "")}::text[],
      ${column(({ payment }) => idArray(payment?.allocations ?? []))}::text[],
      ${column(({ row }) => JSON.stringify(beforeOf(row)))}::text[])
      as d (id, transaction_id, kind, confidence, strategies, reasons, payment_id, returns, invoices, before)`
})

const updateTransactions = Effect.fnUntraced(function* (changes: ReadonlyArray<Change>) {
  if (changes.length === 0) return
  const sql = yield* SqlClient.SqlClient
  yield* sql`update bank_fetcher.transaction t set reconciliation_status = c.status, matched = c.matched::bigint,
      suggestion = nullif(c.suggestion, '')::jsonb, ignored_reason = nullif(c.ignored_reason, ''),
      version = t.version + 1, updated_at = now()
    from unnest(${changes.map(({ row }) => row.id)}::uuid[], ${changes.map(({ status }) => status)}::text[],
      ${changes.map(({ matched }) => String(matched))}::text[],
      ${changes.map(({ suggestion }) => (suggestion === null ? "" : JSON.stringify(suggestion)))}::text[],
      ${changes.map(({ ignoredReason }) => ignoredReason ?? "")}::text[])
      as c (id, status, matched, suggestion, ignored_reason)
    where t.id = c.id`
})

const announce = Effect.fnUntraced(function* (
  tenantId: number,
  decisions: ReadonlyArray<NewDecision>,
  statuses: ReadonlyMap<string, Row["status"]>
) {
  const events = yield* Events
  yield* events.emitAll(
    TransactionMatched,
    source,
    decisions.flatMap(({ confidence, payment, row }) =>
      payment === undefined
        ? []
        : [{ data: matchedEvent(row, statuses.get(row.id)!, confidence, payment), audience: { tenantId } }]
    )
  )
})

/** Data of `bank.transaction.matched`. */
export const matchedEvent = (
  { amount, currency, id, tenantId }: Row,
  status: Row["status"],
  confidence: number | null,
  payment: Pick<MadePayment, "id" | "allocations">,
  paidIn = currency
): typeof TransactionMatched.data.Type => ({
  transaction_id: id,
  tenant_id: tenantId,
  status: status as "auto_matched" | "manual_matched" | "partial",
  amount: decimalOf(amount, currency),
  currency,
  confidence,
  payment_id: payment.id,
  invoices: payment.allocations.map((allocation) => ({
    invoice_id: allocation.invoiceId,
    number: allocation.number,
    amount: decimalOf(allocation.amount, paidIn)
  }))
})
