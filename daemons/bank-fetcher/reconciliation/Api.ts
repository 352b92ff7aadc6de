import * as Api from "#core/http/Api.ts"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { Requires } from "#core/auth/Permissions.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { BodyId, inTenant, page, pageOf, plainText } from "#core/http/Paging.ts"
import { NotFound } from "#core/http/Problem.ts"
import { inOfferedLanguage } from "#core/words/InLanguage.ts"
import { Amount, Uuid } from "../bank-store/Fields.ts"
import { confidences } from "../matching/Model.ts"
import { BatchView } from "./BatchView.ts"
import { DashboardView, dashboardDays } from "./DashboardView.ts"
import { AlreadyDecided, CurrencyDiffers, NothingToUndo, NotPossible } from "./Errors.ts"

/** Reconciliation statuses. Source: interface document 2 §2.6. */
export const ReconciliationStatus = Schema.Literals([
  "unmatched",
  "suggested",
  "auto_matched",
  "manual_matched",
  "ignored",
  "partial"
])

/** Why an invoice is suggested, or why a person must decide. `text`: in the language of the request. */
export const ReasonView = Schema.Struct({
  code: Schema.String,
  text: Schema.String,
  /** Invoice number that the reason is about. */
  number: Schema.optionalKey(Schema.String),
  /** Days until the invoice is due; negative when overdue. */
  days: Schema.optionalKey(Schema.Int),
  /** Last day of the cash discount. */
  until: Schema.optionalKey(Schema.String),
  /** Number of invoices whose sum is the amount. */
  count: Schema.optionalKey(Schema.Int),
  /** Amount that the payment is below or above what is open. */
  rest: Schema.optionalKey(Schema.String)
})

/** Part of a transaction that settles an invoice. `discount`: cash discount on top. */
export const AllocationView = Schema.Struct({
  invoice_id: Schema.String,
  number: Schema.String,
  customer_id: Schema.NullOr(Schema.Int),
  customer_name: Schema.NullOr(Schema.String),
  /** Amount that this match settles, without the discount. */
  amount: Schema.String,
  discount: Schema.String,
  /** Amount that is open on the invoice now, before a suggestion is accepted. */
  open: Schema.String,
  currency: Schema.String,
  due_on: Schema.String
})

export const SuggestionView = Schema.Struct({
  /** Position in the list, from 1; `reconcile` accepts it as `suggestion`. */
  position: Schema.Int,
  /** Unit: percent. */
  confidence: Schema.Int,
  strategies: Schema.Array(Schema.Literals(Object.keys(confidences) as Array<keyof typeof confidences>)),
  reasons: Schema.Array(ReasonView),
  allocations: Schema.Array(AllocationView),
  /** Part of the transaction that would settle no invoice. */
  unassigned: Schema.String
}).annotate({ identifier: "BankSuggestion" })

/** The decision that is in force. */
export const DecisionView = Schema.Struct({
  id: Schema.String,
  kind: Schema.Literals(["auto", "manual", "ignored"]),
  /** Unit: percent; null for a decision by a person. */
  confidence: Schema.NullOr(Schema.Int),
  strategies: Schema.Array(Schema.String),
  reasons: Schema.Array(ReasonView),
  payment_id: Schema.NullOr(Schema.String),
  allocations: Schema.Array(AllocationView),
  note: Schema.NullOr(Schema.String),
  /** `system` for automatic decisions. */
  decided_by: Schema.String,
  decided_at: Schema.String
}).annotate({ identifier: "BankDecision" })

/** A transaction as far as reconciliation goes. */
export const ReconciliationView = Schema.Struct({
  transaction_id: Schema.String,
  reconciliation_status: ReconciliationStatus,
  amount: Schema.String,
  currency: Schema.String,
  /** Part of the amount that settles invoices. */
  matched: Schema.String,
  /** Part of the amount that settles no invoice. */
  unassigned: Schema.String,
  /** Code (`fee`, `own_transfer`) or a person's words; null when not ignored, or when the person gave no reason. */
  ignored_reason: Schema.NullOr(Schema.String),
  ignored_text: Schema.NullOr(Schema.String),
  version: Schema.Int,
  decision: Schema.NullOr(DecisionView),
  can_undo: Schema.Boolean
}).annotate({ identifier: "BankReconciliation" })

export const SuggestionsView = Schema.Struct({
  ...ReconciliationView.fields,
  /** A booking that pays no invoice: `fee`, `own_transfer`, or a `return` whose payment was not found. */
  recognised: Schema.NullOr(
    Schema.Struct({ code: Schema.Literals(["fee", "own_transfer", "return"]), text: Schema.String })
  ),
  /** Best first. */
  suggestions: Schema.Array(SuggestionView)
})

const params = { uuid: Uuid }
const view = "ebics.view"
const reconcile = "ebics.reconcile"

/** Maximum number of invoices of one match. Reason: a collective payment of a large customer has fewer. */
export const maxAllocations = 100

/** Text of a note or a reason. Unit: UTF-16 code units. */
const Words = plainText(500)

export const ReconcileRequest = Schema.Struct({
  /** Without `amount`: as much as is open and left of the transaction, in this order. */
  allocations: Schema.optionalKey(
    Schema.Array(Schema.Struct({ invoice_id: Uuid, amount: Schema.optionalKey(Amount) })).pipe(
      Schema.check(Schema.isMinLength(1), Schema.isMaxLength(maxAllocations))
    )
  ),
  /** Position of a suggestion, from 1, instead of `allocations`. */
  suggestion: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 10 }))),
  /** Accepts invoices in another currency; their `amount` is in the currency of the invoice and must be given. */
  confirm_currency: Schema.optionalKey(Schema.Boolean),
  note: Schema.optionalKey(Words)
})

/** `reason`: why the transaction pays no invoice. */
export const IgnoreRequest = Schema.Struct({ reason: Schema.optionalKey(Words) })

/** Endpoints of matching, and the dashboard. */
export const reconciliation = HttpApiGroup.make("reconciliation")
  .add(
    HttpApiEndpoint.get("suggestions", "/transactions/:uuid/suggestions", {
      params,
      query: inOfferedLanguage,
      success: SuggestionsView,
      error: NotFound
    })
      .annotate(Requires, view)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Invoices that a transaction may pay, best first",
          description:
            "Each suggestion has its reasons as codes and as text. Suggestions are computed against the invoices " +
            "that are open now. A matched or ignored transaction has none."
        })
      ),
    HttpApiEndpoint.post("reconcile", "/transactions/:uuid/reconcile", {
      params,
      query: inOfferedLanguage,
      headers: Idempotency.headers,
      payload: ReconcileRequest,
      success: ReconciliationView,
      error: [NotFound, AlreadyDecided, NotPossible, CurrencyDiffers]
    })
      .annotate(Requires, reconcile)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Match a transaction with invoices",
          description:
            "Either `allocations` or `suggestion` is required. One payment is created; it settles the invoices. What " +
            "is left of the transaction stays unassigned. The status is `partial` when an invoice stays open in part."
        })
      ),
    HttpApiEndpoint.post("ignore", "/transactions/:uuid/ignore", {
      params,
      query: inOfferedLanguage,
      payload: [IgnoreRequest, Schema.Null],
      success: ReconciliationView,
      error: [NotFound, AlreadyDecided, NotPossible]
    })
      .annotate(Requires, reconcile)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Ignore a transaction",
          description:
            "Needs no body. A match of the transaction is reversed: its payment is undone. `undo` restores the match."
        })
      ),
    HttpApiEndpoint.post("undo", "/transactions/:uuid/undo", {
      params,
      query: inOfferedLanguage,
      success: ReconciliationView,
      error: [NotFound, NothingToUndo, NotPossible]
    })
      .annotate(Requires, reconcile)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Undo the last decision about a transaction",
          description:
            "Restores the state before the decision: status, suggestion, invoices and payment. Each call undoes one " +
            "decision. No batch matches the transaction with the same invoices again."
        })
      ),
    HttpApiEndpoint.post("startBatch", "/reconcile/batch", {
      headers: Idempotency.headers,
      payload: [Schema.Struct({ tenant_id: Schema.optionalKey(BodyId) }), Schema.Null],
      success: BatchView.pipe(HttpApiSchema.status(202))
    })
      .annotate(Requires, reconcile)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Decide about all unmatched transactions",
          description:
            "Needs no body. Answers a job. `GET …/reconcile/batches/{uuid}` and the event `bank.batch.progress` " +
            "show its progress. One batch of a tenant runs at a time; a batch that still waits is returned again."
        })
      ),
    HttpApiEndpoint.get("batches", "/reconcile/batches", {
      query: { ...page(), ...inTenant },
      success: pageOf(BatchView)
    })
      .annotate(Requires, view)
      .annotateMerge(OpenApi.annotations({ summary: "Batches, newest first" })),
    HttpApiEndpoint.get("batch", "/reconcile/batches/:uuid", { params, success: BatchView, error: NotFound })
      .annotate(Requires, view)
      .annotateMerge(OpenApi.annotations({ summary: "One batch with its progress" })),
    HttpApiEndpoint.get("dashboard", "/dashboard", {
      query: { ...inTenant, days: Schema.optionalKey(dashboardDays) },
      success: DashboardView
    })
      .annotate(Requires, view)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Balances, unmatched transactions, open invoices, and figures of each day",
          description:
            "`days`: number of days of `daily`, ending today (UTC); default 30. Days without bookings are there."
        })
      )
  )
  .middleware(Authentication)
  .prefix("/api/v1/crm/ebics")

/** API definition of the feature. */
export const ReconciliationApi = Api.make("reconciliation").add(reconciliation)
