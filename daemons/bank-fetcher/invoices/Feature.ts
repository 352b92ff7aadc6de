import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Feature from "#core/daemon/Feature.ts"
import { maxFile } from "#core/imports/Imports.ts"
import { Supervisor } from "#core/supervision/Supervisor.ts"
import { ReconcileWanted } from "../bank-store/BankJobs.ts"
import { InvoicesApi } from "./Api.ts"
import { customerFeed } from "./customers/CustomerFeed.ts"
import { customers } from "./customers/Handlers.ts"
import { ImportInvoices, ImportPayments } from "./imports/ImportKinds.ts"
import { invoiceImportWorker, paymentImportWorker } from "./imports/ImportWorkers.ts"
import { invoices as invoiceHandlers } from "./invoice/Handlers.ts"
import { invoices as tables } from "./migrations/0003_invoices.ts"
import { payments } from "./payment/Handlers.ts"

const upload = (prefix: string) => ({ prefix, authenticated: true, maxBody: maxFile })

/** Customers' IBANs, invoices and payments. */
export const invoices = Feature.make({
  migrations: [tables],
  queues: [ImportInvoices, ImportPayments, ReconcileWanted],
  routes: [upload("/api/v1/crm/invoices/imports"), upload("/api/v1/crm/payments/imports")],
  api: InvoicesApi,
  layer: Layer.mergeAll(
    HttpApiBuilder.layer(InvoicesApi).pipe(Layer.provide([customers, invoiceHandlers, payments])),
    Layer.effectDiscard(Effect.flatMap(customerFeed, Supervisor.actor)),
    Layer.effectDiscard(invoiceImportWorker),
    Layer.effectDiscard(paymentImportWorker)
  )
})
