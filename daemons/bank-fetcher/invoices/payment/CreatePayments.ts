/**
 * Makes payments that settle invoices, with the same number of statements for one payment as for many. Runs in the
 * surrounding transaction with its role. Invoices are locked in the order of their ids, so that payments of the same
 * invoices wait for each other and never deadlock.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { PaymentReceived } from "#core/contracts/Bank.ts"
import { Events } from "#core/events/Events.ts"
import { asPlatform } from "#core/sql/Sql.ts"
import { decimalOf } from "../../bank-store/Money.ts"
import { SettlementRefused } from "../Errors.ts"
import { lockInvoices, writeSettled } from "../invoice/SettledInvoices.ts"
import { source } from "../Source.ts"
import { after, type DecidedAllocation, type NewAllocation, type Refusal, settle, type Settled } from "./Settlement.ts"

export interface NewPayment {
  readonly source: "bank" | "manual" | "card" | "wallet"
  /** Bank transaction that the payment is made from. */
  readonly transactionId: string | null
  readonly externalId?: string | null
  /** Default: the customer of the invoices, when it is the same one. */
  readonly customerId?: number | null
  /** Unit: minor units. Negative: money that went out. */
  readonly amount: number
  readonly currency: string
  /** Day, ISO 8601. */
  readonly paidOn: string
  readonly note?: string | null
  readonly allocations: ReadonlyArray<NewAllocation>
}

export interface MadePayment {
  readonly id: string
  readonly customerId: number | null
  readonly unassigned: number
  readonly allocations: ReadonlyArray<DecidedAllocation & { readonly number: string }>
}

/** A payment with what it settles, before it is written. */
interface Planned {
  readonly at: number
  readonly id: string
  readonly payment: NewPayment
  readonly customerId: number | null
  readonly unassigned: number
  readonly allocations: ReadonlyArray<DecidedAllocation>
}

/** Makes one payment; fails when it cannot settle what it names. */
export const createPayment = Effect.fnUntraced(function* (tenantId: number, payment: NewPayment) {
  const [made] = yield* createPayments(tenantId, [payment])
  return "reason" in made! ? yield* refused(made) : made!
})

/** The refusal as the answer of an endpoint. */
export const refused = ({ invoiceId, reason }: Refusal) => new SettlementRefused({ reason, invoice_id: invoiceId })

/**
 * Makes payments of a tenant, in their order. A payment that cannot settle what it names makes nothing and is answered
 * as a `Refusal`, while the others are made. The external ids must be new.
 */
export const createPayments = Effect.fnUntraced(function* (tenantId: number, payments: ReadonlyArray<NewPayment>) {
  const invoices = yield* lockInvoices(
    tenantId,
    payments.flatMap(({ allocations }) => allocations.map(({ invoiceId }) => invoiceId))
  )
  const results: Array<MadePayment | Refusal> = []
  let { planned, settled } = plan(
    payments.map((payment, at) => ({ at, id: randomUUID(), payment })),
    invoices,
    results
  )
  const written = yield* insertPayments(tenantId, planned)
  if (written.size < planned.length) {
    // Another transaction has paid for the same bank transaction in the meantime.
    const lost = planned.filter(({ id }) => !written.has(id))
    for (const { at } of lost) results[at] = { reason: "already_paid", invoiceId: null }
    ;({ planned, settled } = plan(
      planned.filter(({ id }) => written.has(id)),
      invoices,
      results
    ))
  }
  yield* insertAllocations(tenantId, planned)
  yield* writeSettled(settled)
  yield* announce(tenantId, planned, invoices)
  for (const { allocations, at, customerId, id, unassigned } of planned)
    results[at] = {
      id,
      customerId,
      unassigned,
      allocations: allocations.map((allocation) => ({
        ...allocation,
        number: invoices.get(allocation.invoiceId)!.number
      }))
    }
  return results as ReadonlyArray<MadePayment | Refusal>
})

/** What each payment settles, one after the other. Writes refusals into `results`. */
const plan = (
  payments: ReadonlyArray<Pick<Planned, "at" | "id" | "payment">>,
  invoices: ReadonlyMap<string, Settled>,
  results: Array<MadePayment | Refusal>
) => {
  const current = new Map(invoices)
  const touched = new Set<string>()
  const planned: Array<Planned> = []
  for (const { at, id, payment } of payments) {
    const result = settle(payment, current)
    if ("reason" in result) {
      results[at] = result
      continue
    }
    const customers = new Set<number | null>()
    for (const allocation of result.allocations) {
      const invoice = current.get(allocation.invoiceId)!
      customers.add(invoice.customerId)
      current.set(invoice.id, after(invoice, allocation))
      touched.add(invoice.id)
    }
    const customerId = payment.customerId ?? (customers.size === 1 ? [...customers][0]! : null)
    planned.push({ ...result, at, id, payment, customerId })
  }
  return { planned, settled: [...touched].map((id) => current.get(id)!) }
}

/** Absent values are empty texts, because the client cannot send an array of nulls. */
const orEmpty = (value: string | number | null | undefined): string => String(value ?? "")

/** Ids of the inserted payments: all, except those whose bank transaction has an active payment. */
const insertPayments = Effect.fnUntraced(function* (tenantId: number, planned: ReadonlyArray<Planned>) {
  if (planned.length === 0) return new Set<string>()
  const sql = yield* SqlClient.SqlClient
  const column = (read: (row: Planned) => string | number | null | undefined) =>
    planned.map((row) => orEmpty(read(row)))
  const rows = yield* sql<{ id: string }>`
    insert into bank_fetcher.payment (id, tenant_id, customer_id, external_id, source, transaction_id, amount,
      unassigned, currency, paid_on, note)
    select id::uuid, ${tenantId}::int, nullif(customer_id, '')::int, nullif(external_id, ''), source,
      nullif(transaction_id, '')::uuid, amount::bigint, unassigned::bigint, currency, paid_on::date, nullif(note, '')
    from unnest(${column(({ id }) => id)}::text[], ${column(({ customerId }) => customerId)}::text[],
      ${column(({ payment }) => payment.externalId)}::text[], ${column(({ payment }) => payment.source)}::text[],
      ${column(({ payment }) => payment.transactionId)}::text[], ${column(({ payment }) => payment.amount)}::text[],
      ${column(({ unassigned }) => unassigned)}::text[], ${column(({ payment }) => payment.currency)}::text[],
      ${column(({ payment }) => payment.paidOn)}::text[], ${column(({ payment }) => payment.note)}::text[])
      as p (id, customer_id, external_id, source, transaction_id, amount, unassigned, currency, paid_on, note)
    on conflict (transaction_id) where state = 'active' do nothing
    returning id`
  return new Set(rows.map(({ id }) => id))
})

const insertAllocations = Effect.fnUntraced(function* (tenantId: number, planned: ReadonlyArray<Planned>) {
  const rows = planned.flatMap(({ allocations, id }) => allocations.map((row, at) => ({ ...row, id, position: at })))
  if (rows.length === 0) return
  const sql = yield* SqlClient.SqlClient
  yield* sql`insert into bank_fetcher.payment_allocation (payment_id, invoice_id, tenant_id, amount, discount, position)
    select payment_id::uuid, invoice_id::uuid, ${tenantId}::int, amount::bigint, discount::bigint, position
    from unnest(${rows.map(({ id }) => id)}::text[], ${rows.map(({ invoiceId }) => invoiceId)}::text[],
      ${rows.map(({ amount }) => String(amount))}::text[], ${rows.map(({ discount }) => String(discount))}::text[],
      ${rows.map(({ position }) => position)}::int[]) as a (payment_id, invoice_id, amount, discount, position)`
})

/**
 * Emits `payment.received` for each payment with money that came in. The contract has only texts and numbers, so that
 * the data needs no encoding; encoding each by its schema takes twice as long as the rest of a batch's events.
 */
const announce = Effect.fnUntraced(function* (
  tenantId: number,
  planned: ReadonlyArray<Planned>,
  invoices: ReadonlyMap<string, Settled>
) {
  const received = planned.filter(({ payment }) => payment.amount > 0)
  if (received.length === 0) return
  const sql = yield* SqlClient.SqlClient
  const events = yield* Events
  const data = received.map(({ allocations, customerId, id, payment }): typeof PaymentReceived.data.Type => ({
    payment_id: id,
    tenant_id: tenantId,
    customer_id: customerId,
    source: payment.source,
    amount: decimalOf(payment.amount, payment.currency),
    currency: payment.currency,
    paid_on: payment.paidOn,
    invoices: allocations.map(({ amount, invoiceId }) => ({
      invoice_id: invoiceId,
      number: invoices.get(invoiceId)!.number,
      amount: decimalOf(amount, payment.currency)
    }))
  }))
  const rows = sql`select ${tenantId}::int as tenant_id, null::int as user_id, data::jsonb as data
    from unnest(${data.map((one) => JSON.stringify(one))}::text[]) with ordinality as d (data, at) order by at`
  yield* asPlatform(
    sql`with emitted as (${events.emitting(PaymentReceived.type, source, rows)}) ${events.announcement}`
  )
})
