/**
 * Records payments that a person or an outside CRM names. In the surrounding transaction with its role.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as Audit from "#core/log/Audit.ts"
import type { Author } from "../Author.ts"
import { ExternalIdTaken, PaymentDiffers } from "../Errors.ts"
import { lockInvoices } from "../invoice/SettledInvoices.ts"
import { sameTenant } from "../Requests.ts"
import { createPayment, type NewPayment, refused } from "./CreatePayments.ts"
import { fillIn, type Named, type Proposed } from "./Proposed.ts"

/** A payment with allocations that may lack amounts. */
export interface Recorded extends Omit<NewPayment, "allocations" | "transactionId" | "externalId"> {
  readonly externalId: string | null
  readonly customerId: number | null
  readonly allocations: ReadonlyArray<Proposed>
}

/** Ids of invoices named by number; refused for an unknown number. */
const named = Effect.fnUntraced(function* (tenantId: number, allocations: ReadonlyArray<Proposed>) {
  const sql = yield* SqlClient.SqlClient
  const numbers = allocations.flatMap(({ invoiceNumber }) => invoiceNumber ?? [])
  const rows = yield* numbers.length === 0
    ? Effect.succeed([])
    : sql<{ id: string; number: string }>`select id, number from bank_fetcher.invoice
        where tenant_id = ${tenantId} and number = any(${numbers}::text[])`
  const ids = new Map(rows.map(({ id, number }) => [number, id]))
  const found: Array<Named> = []
  for (const { amount, discount, invoiceId, invoiceNumber } of allocations) {
    const id = invoiceId?.toLowerCase() ?? ids.get(invoiceNumber ?? "")
    if (id === undefined) return yield* refused({ reason: "unknown_invoice", invoiceId: null })
    found.push({ invoiceId: id, amount, discount })
  }
  return found
})

/** Makes the payment; missing amounts are filled in. */
const make = Effect.fnUntraced(function* (tenantId: number, payment: Recorded, author: Author) {
  yield* sameTenant(tenantId, payment.customerId)
  const allocations = yield* named(tenantId, payment.allocations)
  const invoices = yield* lockInvoices(
    tenantId,
    allocations.map(({ invoiceId }) => invoiceId)
  )
  const made = yield* createPayment(tenantId, {
    ...payment,
    transactionId: null,
    allocations: fillIn(allocations, invoices, payment.amount, payment.paidOn)
  })
  yield* Audit.write({
    tenantId,
    ...author,
    action: "payment.created",
    entity: "payment",
    id: made.id,
    detail: { invoices: made.allocations.map(({ number }) => number) }
  })
  return made.id
})

interface Known {
  readonly id: string
  readonly amount: number
  readonly currency: string
  readonly paidOn: string
  readonly customerId: number | null
}

/** Payment with this external id. Waits for another transaction that records one with the same id. */
const known = Effect.fnUntraced(function* (tenantId: number, externalId: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`select pg_advisory_xact_lock(hashtextextended(${`bank_fetcher.payment ${tenantId} ${externalId}`}, 0))`
  const [row] = yield* sql<Known>`select id, amount::float8 as amount, currency, paid_on::text as "paidOn",
      customer_id as "customerId"
    from bank_fetcher.payment where tenant_id = ${tenantId} and external_id = ${externalId}`
  return row
})

/** Records a payment, and answers its id; 409 when the external id is taken. */
export const record = Effect.fnUntraced(function* (tenantId: number, payment: Recorded, author: Author) {
  const there = payment.externalId === null ? undefined : yield* known(tenantId, payment.externalId)
  if (there !== undefined) return yield* new ExternalIdTaken({ id: there.id })
  return yield* make(tenantId, payment, author)
})

/** True when the recorded payment has the same content. Pure. */
const isSame = (there: Known, { amount, currency, customerId, paidOn }: Recorded): boolean =>
  there.amount === amount &&
  there.currency === currency &&
  there.paidOn === paidOn &&
  (customerId === null || there.customerId === customerId)

/** Records the payment with this external id once. */
export const put = Effect.fnUntraced(function* (
  tenantId: number,
  payment: Recorded & { readonly externalId: string },
  author: Author
) {
  const there = yield* known(tenantId, payment.externalId)
  if (there === undefined) return { outcome: "created" as const, id: yield* make(tenantId, payment, author) }
  return isSame(there, payment)
    ? { outcome: "unchanged" as const, id: there.id }
    : yield* new PaymentDiffers({ payment_id: there.id })
})
