/** The two kinds of imports, and their jobs. */
import { Schema } from "effect"
import * as Imports from "#core/imports/Imports.ts"
import * as Jobs from "#core/jobs/Jobs.ts"

const data = Schema.Struct({ import_id: Schema.String, tenant_id: Schema.Int })

export const ImportInvoices = Jobs.define("bank.invoice-import", data)
export const ImportPayments = Jobs.define("bank.payment-import", data)

export const invoiceImports = Imports.make({
  table: "bank_fetcher.invoice_import",
  entity: "invoice_import",
  job: ImportInvoices
})

export const paymentImports = Imports.make({
  table: "bank_fetcher.payment_import",
  entity: "payment_import",
  job: ImportPayments
})
