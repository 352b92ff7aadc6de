import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { Requires } from "#core/auth/Permissions.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { Id, inTenant, page, pageOf, plainText } from "#core/http/Paging.ts"
import { NotFound } from "#core/http/Problem.ts"
import { Currency, Day, namesTenant, Uuid } from "../../bank-store/Fields.ts"
import { ExternalIdTaken, InvoiceCancelled, InvoiceNumberTaken, InvoiceSettled } from "../Errors.ts"
import { CsvFile, ImportView } from "../imports/Api.ts"
import { ExternalId, InvoiceChange, InvoiceFields, InvoiceNumber, NewInvoice } from "./Fields.ts"

export const InvoiceStatus = Schema.Literals(["open", "partial", "paid", "cancelled"])

/** Amounts are decimal texts in `currency`; all are negative for a credit note. */
const summary = {
  id: Schema.String,
  tenant_id: Schema.Int,
  customer_id: Schema.NullOr(Schema.Int),
  /** Number and name of the customer; null without a customer, or when it is deleted. */
  customer_number: Schema.NullOr(Schema.String),
  customer_name: Schema.NullOr(Schema.String),
  external_id: Schema.NullOr(Schema.String),
  number: Schema.String,
  kind: Schema.Literals(["invoice", "credit_note"]),
  amount: Schema.String,
  /** Part that payments and cash discounts settled. */
  settled: Schema.String,
  /** Cash discount that payments used: part of `settled`. */
  discounted: Schema.String,
  /** What is left to pay; `0.00` when cancelled. */
  open: Schema.String,
  currency: Schema.String,
  issued_on: Schema.String,
  due_on: Schema.String,
  /** Due, and not paid yet. */
  overdue: Schema.Boolean,
  /** Offered cash discount: `amount` less is due up to and including the day `until`. */
  discount: Schema.NullOr(Schema.Struct({ until: Schema.String, amount: Schema.String })),
  status: InvoiceStatus,
  note: Schema.NullOr(Schema.String),
  created_at: Schema.String,
  updated_at: Schema.String
}

export const InvoiceSummary = Schema.Struct(summary).annotate({ identifier: "BankInvoiceSummary" })

/** Payment that settled a part of the invoice. A returned payment has a negative `amount`. */
const Settlement = Schema.Struct({
  payment_id: Schema.String,
  source: Schema.Literals(["bank", "manual", "card", "wallet"]),
  paid_on: Schema.String,
  amount: Schema.String,
  discount: Schema.String,
  state: Schema.Literals(["active", "undone"])
})

export const InvoiceView = Schema.Struct({ ...summary, payments: Schema.Array(Settlement) }).annotate({
  identifier: "BankInvoice"
})

/** Answer of the idempotent PUT: what happened, and the invoice. */
export const InvoicePut = Schema.Struct({
  outcome: Schema.Literals(["created", "changed", "unchanged"]),
  invoice: InvoiceView
}).annotate({ identifier: "BankInvoicePut" })

const params = { uuid: Uuid }
const view = "ebics.view"
const manage = "ebics.reconcile"
const yes = Schema.Literals(["true", "false"])

/** Invoices and credit notes. */
export const invoices = HttpApiGroup.make("invoices")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: {
        ...page(),
        ...inTenant,
        status: Schema.optionalKey(InvoiceStatus),
        kind: Schema.optionalKey(Schema.Literals(["invoice", "credit_note"])),
        customer_id: Schema.optionalKey(Id),
        q: Schema.optionalKey(plainText(100)),
        number: Schema.optionalKey(InvoiceNumber),
        due_from: Schema.optionalKey(Day),
        due_to: Schema.optionalKey(Day),
        overdue: Schema.optionalKey(yes),
        currency: Schema.optionalKey(Currency)
      },
      success: pageOf(InvoiceSummary)
    })
      .annotate(Requires, view)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Invoices, newest first",
          description:
            "`q` matches a part of the number, the external id, the note, or the customer's name or number, in any " +
            "letter case. `number` matches exactly. `due_from` and `due_to` include their day. " +
            "`overdue=true`: due before today and not paid."
        })
      ),
    HttpApiEndpoint.post("create", "/", {
      headers: Idempotency.headers,
      payload: Schema.Struct({ ...NewInvoice.fields, ...namesTenant }),
      success: InvoiceView.pipe(HttpApiSchema.status(201)),
      error: [InvoiceNumberTaken, ExternalIdTaken]
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Create an invoice or a credit note",
          description:
            "A negative `amount` makes a credit note. Default currency: EUR. Default due day: 14 days after " +
            "`issued_on`. `discount`: cash discount; `amount` less is due until the day `until`. An invoice belongs " +
            "to the tenant of its customer."
        })
      ),
    HttpApiEndpoint.post("imported", "/imports", {
      query: inTenant,
      headers: Idempotency.headers,
      payload: CsvFile,
      success: ImportView.pipe(HttpApiSchema.status(202))
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Import invoices from a CSV file",
          description:
            "The file is UTF-8, at most 16 MiB, separated by semicolon, comma or tab. The first line names the " +
            "columns: `number`, `amount`, `issued_on` and optionally `external_id`, `customer_number`, " +
            "`customer_id`, `currency`, `due_on`, `discount_until`, `discount_amount`, `note`. Amounts have a " +
            "decimal comma or point; days are 2030-01-31 or 31.01.2030. An existing invoice with the same external " +
            "id, else with the same number, is changed. An invalid row fails without affecting other rows. " +
            "`GET …/imports/{uuid}` shows the progress."
        })
      ),
    HttpApiEndpoint.get("progress", "/imports/:uuid", { params, success: ImportView, error: NotFound })
      .annotate(Requires, view)
      .annotateMerge(
        OpenApi.annotations({ summary: "Progress of an import", description: "An import is kept for 90 days." })
      ),
    HttpApiEndpoint.put("put", "/external/:external_id", {
      params: { external_id: ExternalId },
      query: inTenant,
      payload: InvoiceFields,
      success: InvoicePut,
      error: [InvoiceNumberTaken, InvoiceSettled, InvoiceCancelled]
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Create or change the invoice with this id of an outside CRM",
          description:
            "The same content again changes nothing and answers `unchanged`. Omitted fields get their defaults."
        })
      ),
    HttpApiEndpoint.get("show", "/:uuid", { params, success: InvoiceView, error: NotFound })
      .annotate(Requires, view)
      .annotateMerge(OpenApi.annotations({ summary: "One invoice with its payments" })),
    HttpApiEndpoint.put("replace", "/:uuid", {
      params,
      payload: InvoiceFields,
      success: InvoiceView,
      error: [NotFound, InvoiceNumberTaken, InvoiceSettled, InvoiceCancelled]
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Replace an invoice",
          description:
            "Omitted fields get their defaults; the external id stays. 409 `invoice_settled`: payments settled more " +
            "than the new amount, or have another currency."
        })
      ),
    HttpApiEndpoint.patch("change", "/:uuid", {
      params,
      payload: InvoiceChange,
      success: InvoiceView,
      error: [NotFound, InvoiceNumberTaken, InvoiceSettled, InvoiceCancelled]
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Change an invoice",
          description: "At least one field is required; omitted fields keep their values."
        })
      ),
    HttpApiEndpoint.delete("remove", "/:uuid", {
      params,
      success: HttpApiSchema.NoContent,
      error: [NotFound, InvoiceSettled]
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Delete an invoice",
          description: "409 `invoice_settled` when a payment ever settled a part of it; cancel it instead."
        })
      ),
    HttpApiEndpoint.post("cancel", "/:uuid/cancel", { params, success: InvoiceView, error: [NotFound, InvoiceSettled] })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Cancel an invoice",
          description:
            "A cancelled invoice stays, and no payment settles it. 409 `invoice_settled` while a payment settles a " +
            "part of it; undo the payment first. Cancelling again changes nothing."
        })
      )
  )
  .middleware(Authentication)
  .prefix("/api/v1/crm/invoices")
