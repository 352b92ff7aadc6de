import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { Requires } from "#core/auth/Permissions.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { Id, inTenant, page, pageOf, plainText } from "#core/http/Paging.ts"
import { NotFound } from "#core/http/Problem.ts"
import { Currency, Day, namesTenant, Uuid } from "../../bank-store/Fields.ts"
import { ExternalIdTaken, PaymentDiffers, PaymentMatched, PaymentReturned, SettlementRefused } from "../Errors.ts"
import { CsvFile, ImportView } from "../imports/Api.ts"
import { ExternalId } from "../invoice/Fields.ts"
import { NewPayment, PaymentFields } from "./Fields.ts"

export const PaymentSource = Schema.Literals(["bank", "manual", "card", "wallet"])
export const PaymentState = Schema.Literals(["active", "undone"])

/** Amounts are decimal texts in `currency`. */
export const PaymentView = Schema.Struct({
  id: Schema.String,
  tenant_id: Schema.Int,
  customer_id: Schema.NullOr(Schema.Int),
  customer_number: Schema.NullOr(Schema.String),
  customer_name: Schema.NullOr(Schema.String),
  external_id: Schema.NullOr(Schema.String),
  source: PaymentSource,
  /** Bank transaction that the payment was made from. */
  transaction_id: Schema.NullOr(Schema.String),
  /** Payment that this one returns or refunds. */
  returns: Schema.NullOr(Schema.String),
  /** Negative: money that went out, such as a returned direct debit. */
  amount: Schema.String,
  /** Part that settles no invoice, such as an overpayment. */
  unassigned: Schema.String,
  currency: Schema.String,
  paid_on: Schema.String,
  note: Schema.NullOr(Schema.String),
  /** An undone payment settles nothing any more. */
  state: PaymentState,
  allocations: Schema.Array(
    Schema.Struct({
      invoice_id: Schema.String,
      invoice_number: Schema.String,
      amount: Schema.String,
      /** Cash discount on top of `amount`. */
      discount: Schema.String
    })
  ),
  created_at: Schema.String,
  updated_at: Schema.String
}).annotate({ identifier: "BankPayment" })

/** Answer of the idempotent PUT: what happened, and the payment. */
export const PaymentPut = Schema.Struct({
  outcome: Schema.Literals(["created", "unchanged"]),
  payment: PaymentView
}).annotate({ identifier: "BankPaymentPut" })

const params = { uuid: Uuid }
const view = "ebics.view"
const manage = "ebics.reconcile"

/** Payments, and what they settle. */
export const payments = HttpApiGroup.make("payments")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: {
        ...page(),
        ...inTenant,
        state: Schema.optionalKey(PaymentState),
        source: Schema.optionalKey(PaymentSource),
        customer_id: Schema.optionalKey(Id),
        invoice_id: Schema.optionalKey(Uuid),
        transaction_id: Schema.optionalKey(Uuid),
        paid_from: Schema.optionalKey(Day),
        paid_to: Schema.optionalKey(Day),
        unassigned: Schema.optionalKey(Schema.Literals(["true", "false"])),
        currency: Schema.optionalKey(Currency),
        q: Schema.optionalKey(plainText(100))
      },
      success: pageOf(PaymentView)
    })
      .annotate(Requires, view)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Payments, newest first",
          description:
            "`q` matches a part of the external id, the note, the customer's name or number, or the number of an " +
            "invoice that the payment settles. `paid_from` and `paid_to` include their day. `unassigned=true`: a " +
            "part of the payment settles no invoice."
        })
      ),
    HttpApiEndpoint.post("create", "/", {
      headers: Idempotency.headers,
      payload: Schema.Struct({ ...NewPayment.fields, ...namesTenant }),
      success: PaymentView.pipe(HttpApiSchema.status(201)),
      error: [SettlementRefused, ExternalIdTaken]
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Record a payment by hand",
          description:
            "`allocations` names the invoices that the payment settles; what is left stays `unassigned`. An " +
            "allocation to a credit note is negative, so that it offsets invoices; the amount of the payment may " +
            "then be 0. 409 `settlement_refused` names the reason, and nothing is recorded."
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
          summary: "Import payments from a CSV file",
          description:
            "The file is UTF-8, at most 16 MiB, separated by semicolon, comma or tab. The first line names the " +
            "columns: `external_id`, `amount`, `paid_on` and optionally `invoice_numbers`, `customer_number`, " +
            "`customer_id`, `currency`, `note`. Several invoice numbers in one cell are separated by `|`; they are " +
            "settled in this order. A row whose external id is known changes nothing, and fails when its content " +
            "differs. An invalid row fails without affecting other rows. `GET …/imports/{uuid}` shows the progress."
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
      payload: PaymentFields,
      success: PaymentPut,
      error: [SettlementRefused, PaymentDiffers]
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Record the payment with this id of an outside CRM, once",
          description:
            "The same content again changes nothing and answers `unchanged`, also after a person undid the payment. " +
            "409 `payment_differs`: the recorded payment has another amount, day, customer or currency."
        })
      ),
    HttpApiEndpoint.get("show", "/:uuid", { params, success: PaymentView, error: NotFound })
      .annotate(Requires, view)
      .annotateMerge(OpenApi.annotations({ summary: "One payment with what it settles" })),
    HttpApiEndpoint.post("undo", "/:uuid/undo", {
      params,
      success: PaymentView,
      error: [NotFound, PaymentReturned, PaymentMatched]
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Undo a payment",
          description:
            "Its invoices are open again as before. The payment stays as `undone`; undoing it again changes nothing. " +
            "409 `payment_matched`: undo the match of its bank transaction instead."
        })
      )
  )
  .middleware(Authentication)
  .prefix("/api/v1/crm/payments")
