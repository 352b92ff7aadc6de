/** Transactions, suggestions and decisions as the API answers them. Reads in the surrounding transaction. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { LanguageCode } from "#core/words/TextMemory.ts"
import { decimalOf } from "../bank-store/Money.ts"
import { allocationsOf } from "../invoices/Exports.ts"
import { decide } from "../matching/Matching.ts"
import type { Suggestion } from "../matching/Model.ts"
import type { AllocationView, ReconciliationView, SuggestionView } from "./Api.ts"
import type { BatchView } from "./BatchView.ts"
import type { Batch } from "./Batches.ts"
import * as DecisionRows from "./DecisionRows.ts"
import type { Ground } from "./MatchRun.ts"
import { nothingRefused, withRefused } from "./Outcome.ts"
import { ignoredText, stored, told } from "./ReasonText.ts"
import { recognise } from "./Recognition.ts"
import { refused, type Row } from "./TransactionRows.ts"

/** What a payment settles, with its invoices. */
const allocations = Effect.fnUntraced(function* (paymentId: string) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{
    readonly invoice_id: string
    readonly number: string
    readonly customer_id: number | null
    readonly customer_name: string | null
    readonly amount: number
    readonly discount: number
    readonly open: number
    readonly currency: string
    readonly due_on: string
  }>`select a.invoice_id, i.number, i.customer_id, c.name as customer_name, a.amount::float8 as amount,
      a.discount::float8 as discount,
      case when i.status = 'cancelled' then 0 else (i.amount - i.settled)::float8 end as open, i.currency,
      i.due_on::text as due_on
    from bank_fetcher.payment_allocation a join bank_fetcher.invoice i on i.id = a.invoice_id
    left join bank_fetcher.customer c on c.customer_id = i.customer_id and c.tenant_id = i.tenant_id
    where a.payment_id = ${paymentId} order by a.position`
  return rows.map(({ amount, currency, discount, open, ...rest }): typeof AllocationView.Type => ({
    ...rest,
    currency,
    amount: decimalOf(amount, currency),
    discount: decimalOf(discount, currency),
    open: decimalOf(open, currency)
  }))
})

/** The transaction with the decision in force. */
export const reconciliationView = Effect.fnUntraced(function* (row: Row, language: LanguageCode) {
  const isDecided = row.status !== "unmatched" && row.status !== "suggested"
  const decision = isDecided ? yield* DecisionRows.inForce(row.id) : undefined
  const { amount, currency, ignoredReason, matched } = row
  const paymentId = decision?.paymentId ?? null
  const settled = paymentId === null ? [] : yield* allocations(paymentId)
  const view: typeof ReconciliationView.Type = {
    transaction_id: row.id,
    reconciliation_status: row.status,
    amount: decimalOf(amount, currency),
    currency,
    matched: decimalOf(matched, currency),
    unassigned: decimalOf(amount - matched, currency),
    ignored_reason: ignoredReason,
    ignored_text: ignoredReason === null ? null : ignoredText(ignoredReason, language),
    version: row.version,
    decision:
      decision === undefined
        ? null
        : {
            id: decision.id,
            kind: decision.kind,
            confidence: decision.confidence,
            strategies: decision.strategies,
            reasons: decision.reasons.map((reason) => told(reason, language)),
            payment_id: decision.paymentId,
            allocations: settled,
            note: decision.note,
            decided_by: decision.decidedBy,
            decided_at: decision.decidedAt.toISOString()
          },
    can_undo: row.current && decision !== undefined
  }
  return view
})

/** Suggestions for an undecided transaction against the invoices that are open now. */
export const suggestionsOf = Effect.fnUntraced(function* (row: Row, { index }: Ground) {
  const undone = yield* refused([row.id])
  return withRefused(decide(row, index).suggestions, undone.get(row.id) ?? nothingRefused)
})

/** Suggestions with their texts and the names of the customers. */
export const suggestionViews = Effect.fnUntraced(function* (
  row: Row,
  suggestions: ReadonlyArray<Suggestion>,
  language: LanguageCode
) {
  const sql = yield* SqlClient.SqlClient
  const ids = suggestions.flatMap((one) => one.allocations.flatMap(({ invoice }) => invoice.customerId ?? []))
  const names = yield* sql<{ id: number; name: string }>`select customer_id as id, name from bank_fetcher.customer
    where tenant_id = ${row.tenantId} and customer_id = any(${ids.map(String)}::text[]::int[])`
  const nameOf = new Map(names.map(({ id, name }) => [id, name]))
  return suggestions.map((suggestion, at): typeof SuggestionView.Type => {
    const settled = allocationsOf(suggestion.allocations, row)
    return {
      position: at + 1,
      confidence: suggestion.confidence,
      strategies: suggestion.strategies,
      reasons: suggestion.reasons.map((reason) => told(stored(reason, row.currency), language)),
      allocations: suggestion.allocations.map(({ invoice }, place) => ({
        invoice_id: invoice.id,
        number: invoice.number,
        customer_id: invoice.customerId,
        customer_name: invoice.customerId === null ? null : (nameOf.get(invoice.customerId) ?? null),
        amount: decimalOf(settled[place]!.amount, invoice.currency),
        discount: decimalOf(settled[place]!.discount ?? 0, invoice.currency),
        open: decimalOf(invoice.open, invoice.currency),
        currency: invoice.currency,
        due_on: invoice.dueOn
      })),
      unassigned: decimalOf(
        suggestion.allocations.every(({ invoice }) => invoice.currency === row.currency)
          ? row.amount - settled.reduce((sum, { amount }) => sum + amount, 0)
          : row.amount,
        row.currency
      )
    }
  })
})

/** What the booking is when it pays no invoice. */
export const recognisedView = (row: Row, { ownIbans }: Ground, language: LanguageCode) => {
  const code = recognise(row, ownIbans)
  return code === undefined ? null : { code, text: ignoredText(code, language) }
}

export const batchView = ({
  auto_matched,
  created_at,
  done,
  finished_at,
  id,
  ignored,
  problem,
  requested_by,
  state,
  suggested,
  tenant_id,
  total,
  unmatched
}: Batch): typeof BatchView.Type => ({
  id,
  tenant_id,
  state,
  transactions: { total, done, auto_matched, suggested, ignored, unmatched },
  problem,
  requested_by,
  created_at: created_at.toISOString(),
  finished_at: finished_at?.toISOString() ?? null
})
