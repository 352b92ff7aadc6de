/** Undoes a payment. Runs in the surrounding transaction with its role. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { NotFound } from "#core/http/Problem.ts"
import { PaymentReturned } from "../Errors.ts"
import { lockInvoices, writeSettled } from "../invoice/SettledInvoices.ts"
import { after, type DecidedAllocation } from "./Settlement.ts"

export interface LockedPayment {
  readonly id: string
  readonly tenantId: number
  readonly customerId: number | null
  readonly transactionId: string | null
  readonly source: "bank" | "manual" | "card" | "wallet"
  readonly amount: number
  readonly unassigned: number
  readonly currency: string
  readonly state: "active" | "undone"
  readonly allocations: ReadonlyArray<DecidedAllocation>
}

/** The payment with what it settles, locked until the transaction ends; 404 when missing. */
export const lockPayment = Effect.fnUntraced(function* (id: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Omit<LockedPayment, "allocations">>`select id, tenant_id as "tenantId",
      customer_id as "customerId", transaction_id as "transactionId", source, amount::float8 as amount,
      unassigned::float8 as unassigned, currency, state
    from bank_fetcher.payment where id = ${id}::uuid for update`
  if (row === undefined) return yield* new NotFound({ detail: "The payment does not exist." })
  const allocations = yield* sql<DecidedAllocation>`select invoice_id as "invoiceId", amount::float8 as amount,
      discount::float8 as discount
    from bank_fetcher.payment_allocation where payment_id = ${id}::uuid order by position`
  return { ...row, allocations } satisfies LockedPayment as LockedPayment
})

/** Active payments that return or refund this one, oldest first. */
export const returnsOf = Effect.fnUntraced(function* (id: string) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<{ id: string; amount: number }>`select id, amount::float8 as amount from bank_fetcher.payment
    where returns = ${id}::uuid and state = 'active' order by seq`
})

/**
 * Reopens exactly what the payment settled, and marks it as undone. False when it was undone before. Fails while a
 * return of the payment is active.
 */
export const undoPayment = Effect.fnUntraced(function* (id: string) {
  const sql = yield* SqlClient.SqlClient
  const { allocations, state, tenantId } = yield* lockPayment(id)
  if (state === "undone") return false
  const [returned] = yield* returnsOf(id)
  if (returned !== undefined) return yield* new PaymentReturned({ payment_id: returned.id })
  const invoices = yield* lockInvoices(
    tenantId,
    allocations.map(({ invoiceId }) => invoiceId)
  )
  yield* writeSettled(
    allocations.map(({ amount, discount, invoiceId }) =>
      after(invoices.get(invoiceId)!, { invoiceId, amount: 0 - amount, discount: 0 - discount })
    )
  )
  yield* sql`update bank_fetcher.payment set state = 'undone', updated_at = now() where id = ${id}::uuid`
  return true
})
