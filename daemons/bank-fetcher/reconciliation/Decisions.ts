/**
 * Decisions of people: match, ignore, undo. Each locks the transaction first and its invoices after it, as a batch
 * does. Functions run in the surrounding transaction with its role.
 */
import { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TransactionMatched } from "#core/contracts/Bank.ts"
import { Events } from "#core/events/Events.ts"
import { InvalidRequest } from "#core/http/Problem.ts"
import * as Audit from "#core/log/Audit.ts"
import {
  createPayment,
  type MadePayment,
  type NewAllocation,
  type SettlementRefused,
  undoPayment
} from "../invoices/Exports.ts"
import * as DecisionRows from "./DecisionRows.ts"
import { AlreadyDecided, CurrencyDiffers, NothingToUndo, NotPossible } from "./Errors.ts"
import { beforeOf, matchedEvent, source, stillOpen } from "./MatchChunk.ts"
import type { StoredReason } from "./ReasonText.ts"
import { takeBack } from "./Returns.ts"
import { lock, type Row } from "./TransactionRows.ts"

/** Who decides. */
export interface Author {
  readonly actor: string
  readonly address: string | undefined
}

/** What a person matched. `currency`: of the invoices, when the person confirmed that it differs. */
export interface Match {
  readonly amount: number
  readonly currency: string
  readonly allocations: ReadonlyArray<NewAllocation>
  readonly note: string | null
}

const isOpen = ({ status }: Row) => status === "unmatched" || status === "suggested"

/** The transaction, locked; refused when a newer statement replaced it. */
const lockCurrent = Effect.fnUntraced(function* (id: string) {
  const row = yield* lock(id)
  if (!row.current)
    return yield* new NotPossible({ reason: "replaced", detail: "A newer statement replaced this transaction." })
  return row
})

/** The transaction, locked, when it can be matched by a person. */
export const lockOpen = Effect.fnUntraced(function* (id: string) {
  const row = yield* lockCurrent(id)
  if (!isOpen(row))
    return yield* new AlreadyDecided({ reconciliation_status: row.status, detail: "Undo the decision first." })
  if (row.bookingStatus !== "booked")
    return yield* new NotPossible({ reason: "not_booked", detail: "The bank has not booked this transaction yet." })
  return row
})

/** Sets the state of a transaction, and counts its version. */
const setState = Effect.fnUntraced(function* (
  { id }: Row,
  state: { status: string; matched: number; suggestion: unknown; ignored_reason: string | null }
) {
  const sql = yield* SqlClient.SqlClient
  const pg = yield* PgClient.PgClient
  const suggestion = state.suggestion === null ? sql`null` : sql`${pg.json(state.suggestion)}`
  yield* sql`update bank_fetcher.transaction set reconciliation_status = ${state.status}, matched = ${state.matched},
    suggestion = ${suggestion}, ignored_reason = ${state.ignored_reason}, version = version + 1, updated_at = now()
    where id = ${id}`
})

const audit = ({ id, tenantId }: Row, { actor, address }: Author, change: string, detail: Record<string, unknown>) =>
  Audit.write({
    tenantId,
    actor,
    address,
    action: `bank_transaction.${change}`,
    entity: "bank_transaction",
    id,
    detail
  })

/** The refusal of a payment as the problem of this endpoint. */
const problemOf = (
  { invoice_id: invoice, reason }: SettlementRefused,
  { allocations, currency }: Pick<Match, "allocations" | "currency">
): AlreadyDecided | CurrencyDiffers | InvalidRequest | NotPossible => {
  const named = invoice === null ? {} : { invoice_id: invoice }
  const at = allocations.findIndex(({ invoiceId }) => invoiceId === invoice)
  const invalid = (message: string) =>
    new InvalidRequest({ errors: [{ field: `payload.allocations[${at}].invoice_id`, message }] })
  switch (reason) {
    case "unknown_invoice":
      return invalid("must be the id of an invoice")
    case "named_twice":
      return invalid("is named twice")
    case "other_currency":
      return new CurrencyDiffers({ invoice_id: invoice ?? "", currency })
    case "already_paid":
      return new AlreadyDecided({ reconciliation_status: "manual_matched" })
    case "too_much":
      return new NotPossible({ reason: "more_than_open", ...named })
    case "wrong_sign":
      return new NotPossible({ reason: "wrong_direction", ...named })
    case "more_than_payment":
      return new NotPossible({ reason: "more_than_transaction", ...named })
    case "cancelled":
    case "nothing":
      return new NotPossible({ reason: "invoice_not_open", ...named })
  }
}

/** Makes the payment of a match. */
const pay = ({ amount, bookedOn, currency, id, tenantId }: Row, match: Match) =>
  createPayment(tenantId, {
    source: "bank",
    transactionId: id,
    amount: match.currency === currency ? amount : match.amount,
    currency: match.currency,
    paidOn: bookedOn,
    note: match.note,
    allocations: match.allocations
  }).pipe(Effect.catchTag("SettlementRefused", (refusal) => Effect.fail(problemOf(refusal, match))))

/** Status after a payment: `partial` when an invoice stays open. */
const statusAfter = Effect.fnUntraced(function* ({ allocations }: Pick<MadePayment, "allocations">) {
  const open = yield* stillOpen(allocations.map(({ invoiceId }) => invoiceId))
  return open.size > 0 ? "partial" : "manual_matched"
})

/** Matches a locked transaction: one payment, and a decision. */
export const match = Effect.fnUntraced(function* (row: Row, wanted: Match, author: Author) {
  const payment = yield* pay(row, wanted)
  const isOther = wanted.currency !== row.currency
  const status = yield* statusAfter(payment)
  const reasons: ReadonlyArray<StoredReason> = isOther ? [{ code: "confirmed_currency" }] : []
  yield* DecisionRows.insert(row, {
    kind: "manual",
    reasons,
    payment,
    note: wanted.note,
    before: beforeOf(row),
    by: author.actor
  })
  yield* setState(row, {
    status,
    // Of a payment in another currency, all of the transaction is used.
    matched: isOther ? row.amount : row.amount - payment.unassigned,
    suggestion: null,
    ignored_reason: null
  })
  const events = yield* Events
  yield* events.emit(TransactionMatched, source, matchedEvent(row, status, null, payment, wanted.currency), {
    tenantId: row.tenantId
  })
  const invoices = payment.allocations.map(({ number }) => number)
  yield* audit(row, author, "matched", { payment_id: payment.id, invoices })
})

/** Undoes a payment; refused while a return of it is matched. */
const unpay = (paymentId: string) =>
  undoPayment(paymentId).pipe(
    Effect.catchTag("PaymentReturned", () =>
      Effect.fail(new NotPossible({ reason: "returned", detail: "Undo the match of the returned payment first." }))
    )
  )

/** Ignores the transaction. A match is reversed: its payment is undone until the ignore is undone. */
export const ignore = Effect.fnUntraced(function* (id: string, reason: string | null, author: Author) {
  const row = yield* lockCurrent(id)
  if (row.status === "ignored")
    return yield* new AlreadyDecided({ reconciliation_status: row.status, detail: "The transaction is ignored." })
  const matched = isOpen(row) ? undefined : yield* DecisionRows.inForce(id)
  if (matched?.paymentId !== undefined && matched.paymentId !== null) yield* unpay(matched.paymentId)
  yield* DecisionRows.insert(row, {
    kind: "ignored",
    reasons: [],
    payment: undefined,
    note: reason,
    before: beforeOf(row),
    by: author.actor
  })
  yield* setState(row, { status: "ignored", matched: 0, suggestion: null, ignored_reason: reason })
  yield* audit(row, author, "ignored", reason === null ? {} : { reason })
})

/** Undoes the decision in force, and restores what was before it. */
export const undo = Effect.fnUntraced(function* (id: string, author: Author) {
  const row = yield* lockCurrent(id)
  const decision = isOpen(row) ? undefined : yield* DecisionRows.inForce(id)
  if (decision === undefined) return yield* new NothingToUndo({ detail: "Nothing was decided about it." })
  if (decision.paymentId !== null) yield* unpay(decision.paymentId)
  yield* DecisionRows.markUndone(decision.id, author.actor)
  const { before } = decision
  const earlier =
    before.status === "unmatched" || before.status === "suggested" ? undefined : yield* DecisionRows.inForce(id)
  if (earlier !== undefined) yield* payAgain(row, earlier)
  yield* setState(row, before)
  yield* audit(row, author, "undone", { decision_id: decision.id, kind: decision.kind })
})

/** Makes the payment of a match again, which an ignore had undone. */
const payAgain = Effect.fnUntraced(function* (row: Row, { id, paymentId, returns }: DecisionRows.Decision) {
  if (paymentId === null) return
  const earlier = yield* DecisionRows.paymentOf(paymentId)
  const payment = yield* returns === null
    ? pay(row, earlier).pipe(
        Effect.catchTag(["AlreadyDecided", "CurrencyDiffers", "InvalidRequest"], () =>
          Effect.fail(new NotPossible({ reason: "invoice_not_open", detail: "The invoices changed in the meantime." }))
        )
      )
    : Effect.flatMap(takeBack(returns, row), (made) =>
        made === undefined
          ? Effect.fail(new NotPossible({ reason: "returned", detail: "The payment was returned otherwise." }))
          : Effect.succeed(made)
      )
  yield* DecisionRows.setPayment(id, payment.id)
})
