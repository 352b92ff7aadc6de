/** Returned direct debits and refunds. Runs in the surrounding transaction with its role. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { lockInvoices, writeSettled } from "../invoice/SettledInvoices.ts"
import { refused } from "./CreatePayments.ts"
import { after, takeBack } from "./Settlement.ts"
import { lockPayment } from "./UndoPayment.ts"

/** A payment that was returned or refunded. */
export interface Returned {
  /** The payment that goes back. */
  readonly paymentId: string
  /** Bank transaction of the return. */
  readonly transactionId: string | null
  /** Money that went out. Unit: minor units, below 0, as in the bank transaction. */
  readonly amount: number
  readonly currency: string
  /** Day, ISO 8601. */
  readonly paidOn: string
  readonly note?: string | null
}

/**
 * Records the return as a payment of its own, and reopens the invoices. `undoPayment` of it settles them again. Money
 * beyond the returned payment, such as the bank's fee, stays unassigned. Refused when the payment is undone, has
 * another currency, or was returned wholly.
 */
export const reopen = Effect.fnUntraced(function* (returned: Returned) {
  const sql = yield* SqlClient.SqlClient
  const payment = yield* lockPayment(returned.paymentId)
  const refuse = (reason: Parameters<typeof refused>[0]["reason"]) => refused({ reason, invoiceId: null })
  if (payment.currency !== returned.currency) return yield* refuse("other_currency")
  if (returned.amount >= 0 || payment.amount <= 0) return yield* refuse("wrong_sign")
  if (payment.state === "undone") return yield* refuse("nothing")
  const left = yield* leftOf(payment)
  if (left.unassigned <= 0 && left.allocations.every(({ amount }) => amount <= 0)) return yield* refuse("nothing")
  const { allocations, unassigned } = takeBack(left, -returned.amount)
  const invoices = yield* lockInvoices(
    payment.tenantId,
    allocations.map(({ invoiceId }) => invoiceId)
  )
  const id = randomUUID()
  const inserted = yield* sql`insert into bank_fetcher.payment (id, tenant_id, customer_id, source, transaction_id,
      returns, amount, unassigned, currency, paid_on, note)
    values (${id}::uuid, ${payment.tenantId}, ${payment.customerId}, ${payment.source},
      ${returned.transactionId}::uuid, ${payment.id}::uuid, ${returned.amount}, ${unassigned}, ${payment.currency},
      ${returned.paidOn}::date, ${returned.note ?? null})
    on conflict (transaction_id) where state = 'active' do nothing returning 1`
  if (inserted.length === 0) return yield* refuse("already_paid")
  for (const [position, { amount, discount, invoiceId }] of allocations.entries())
    yield* sql`insert into bank_fetcher.payment_allocation
        (payment_id, invoice_id, tenant_id, amount, discount, position)
      values (${id}::uuid, ${invoiceId}::uuid, ${payment.tenantId}, ${amount}, ${discount}, ${position})`
  yield* writeSettled(allocations.map((allocation) => after(invoices.get(allocation.invoiceId)!, allocation)))
  return {
    id,
    customerId: payment.customerId,
    unassigned,
    allocations: allocations.map((allocation) => ({
      ...allocation,
      number: invoices.get(allocation.invoiceId)!.number
    }))
  }
})

/** What is left of a payment after the returns that are active. */
const leftOf = Effect.fnUntraced(function* (payment: Effect.Success<ReturnType<typeof lockPayment>>) {
  const sql = yield* SqlClient.SqlClient
  const [free] = yield* sql<{ unassigned: number }>`select coalesce(sum(unassigned), 0)::float8 as unassigned
    from bank_fetcher.payment where returns = ${payment.id}::uuid and state = 'active'`
  const taken = yield* sql<{ invoice_id: string; amount: number; discount: number }>`
    select a.invoice_id, sum(a.amount)::float8 as amount, sum(a.discount)::float8 as discount
    from bank_fetcher.payment_allocation a join bank_fetcher.payment p on p.id = a.payment_id
    where p.returns = ${payment.id}::uuid and p.state = 'active' group by a.invoice_id`
  const of = new Map(taken.map((row) => [row.invoice_id, row]))
  return {
    amount: payment.amount,
    unassigned: payment.unassigned + (free?.unassigned ?? 0),
    allocations: payment.allocations.map(({ amount, discount, invoiceId }) => ({
      invoiceId,
      amount: amount + (of.get(invoiceId)?.amount ?? 0),
      discount: discount + (of.get(invoiceId)?.discount ?? 0)
    }))
  }
})
