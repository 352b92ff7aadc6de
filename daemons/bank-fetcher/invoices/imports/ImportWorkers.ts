/** Workers of the imports. A row that is refused leaves nothing, and the other rows are imported. */
import { Effect, Result } from "effect"
import { SqlClient } from "effect/sql"
import { importWorker, RowRefused } from "#core/imports/ImportWorker.ts"
import { transaction } from "#core/sql/Sql.ts"
import { requestReconcile } from "../../bank-store/ReconcileRequest.ts"
import * as Invoices from "../invoice/Invoices.ts"
import * as RecordPayment from "../payment/RecordPayment.ts"
import { invoiceImports, paymentImports } from "./ImportKinds.ts"
import { invoiceColumns, invoiceOf } from "./InvoiceRow.ts"
import { paymentColumns, paymentOf } from "./PaymentRow.ts"

/** Id of the customer with this number; the row is refused when the tenant has none. */
const customerId = Effect.fnUntraced(function* (tenantId: number, number: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ customer_id: number }>`select customer_id from bank_fetcher.customer
    where tenant_id = ${tenantId} and number = ${number} and state = 'active'`
  return (
    row?.customer_id ?? (yield* new RowRefused({ message: `customer_number: no customer has the number ${number}` }))
  )
})

/** Messages of refused settlements. */
const reasons = {
  unknown_invoice: "an invoice does not exist",
  cancelled: "an invoice is cancelled",
  other_currency: "an invoice has another currency",
  too_much: "an invoice is paid already, wholly or partly",
  wrong_sign: "the payment has the wrong sign for an invoice",
  more_than_payment: "the invoices need more than the payment has",
  named_twice: "an invoice is named twice",
  nothing: "the payment has nothing left to settle an invoice",
  already_paid: "the bank transaction has a payment"
} as const

export const invoiceImportWorker = importWorker(invoiceImports, {
  columnsOf: invoiceColumns,
  put: (tenantId, cells, columns, author) =>
    Effect.gen(function* () {
      const row = invoiceOf(cells, columns)
      if (Result.isFailure(row)) return yield* new RowRefused({ message: row.failure })
      const { customerNumber, externalId, invoice } = row.success
      const customer_id = customerNumber === null ? invoice.customer_id : yield* customerId(tenantId, customerNumber)
      const put = Invoices.put(tenantId, externalId, { ...invoice, customer_id }, author)
      return (yield* refusing(put)).outcome
    }),
  written: requestReconcile
})

export const paymentImportWorker = importWorker(paymentImports, {
  columnsOf: paymentColumns,
  put: (tenantId, cells, columns, author) =>
    Effect.gen(function* () {
      const row = paymentOf(cells, columns)
      if (Result.isFailure(row)) return yield* new RowRefused({ message: row.failure })
      const { customerNumber, payment } = row.success
      const id = customerNumber === null ? payment.customerId : yield* customerId(tenantId, customerNumber)
      return (yield* refusing(RecordPayment.put(tenantId, { ...payment, customerId: id }, author))).outcome
    })
})

type Refusals = Effect.Error<ReturnType<typeof Invoices.put>> | Effect.Error<ReturnType<typeof RecordPayment.put>>

/** Rolls back what a refused row wrote, and gives the reason. */
const refusing = <A, R>(put: Effect.Effect<A, Refusals, R>) =>
  Effect.catchTags(transaction(put), {
    InvoiceNumberTaken: () => refuse("number: another invoice has this number"),
    InvoiceSettled: () => refuse("amount: payments settled more than this, or in another currency"),
    InvoiceCancelled: () => refuse("number: the invoice is cancelled"),
    InvalidRequest: ({ errors }) => refuse(errors.map(({ message }) => message).join("; ")),
    PaymentDiffers: () => refuse("external_id: the recorded payment has another amount, day, customer or currency"),
    SettlementRefused: ({ reason }) => refuse(`invoice_numbers: ${reasons[reason]}`)
  })

const refuse = (message: string) => new RowRefused({ message })
