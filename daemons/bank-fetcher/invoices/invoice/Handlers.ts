import { Effect } from "effect"
import { inScope } from "#core/auth/Caller.ts"
import * as Handlers from "#core/http/Handlers.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { defaultPage } from "#core/http/Paging.ts"
import { InvalidRequest, orUnavailable } from "#core/http/Problem.ts"
import { viewOf } from "#core/imports/Imports.ts"
import { fileProblem } from "#core/imports/ImportWorker.ts"
import { requestReconcile } from "../../bank-store/ReconcileRequest.ts"
import { pagedBySeq } from "../../bank-store/SeqPage.ts"
import { InvoicesApi } from "../Api.ts"
import { author } from "../Author.ts"
import { ImportView } from "../imports/Api.ts"
import { invoiceColumns } from "../imports/InvoiceRow.ts"
import { invoiceImports } from "../imports/ImportKinds.ts"
import { ownerOf } from "../Requests.ts"
import { InvoiceView } from "./Api.ts"
import type { InvoiceFields } from "./Fields.ts"
import * as InvoiceLists from "./InvoiceLists.ts"
import * as Invoices from "./Invoices.ts"
import { changed, normalised } from "./Normalise.ts"
import { detail, summary } from "./Views.ts"

/** The stored form, or 422 with the fields that are wrong. */
const stored = (fields: typeof InvoiceFields.Type) => {
  const found = normalised(fields)
  return "problems" in found ? Effect.fail(new InvalidRequest({ errors: found.problems })) : Effect.succeed(found)
}

/** Requests a decision about the transactions that the invoice may explain, or no longer explains. */
const reconciled = (row: Invoices.Invoice) => Effect.as(requestReconcile(row.tenant_id), row)

export const invoices = Handlers.group(InvoicesApi, "invoices", (handlers) =>
  handlers.handleAll({
    list: Effect.fnUntraced(function* ({ query: { before, limit = defaultPage, ...filter } }) {
      return pagedBySeq(yield* orUnavailable(inScope(InvoiceLists.list(filter, before, limit + 1))), limit, summary)
    }),
    create: Effect.fnUntraced(function* ({ headers, payload }) {
      const { external_id = null, tenant_id, ...fields } = payload
      const tenantId = yield* ownerOf(tenant_id, fields.customer_id)
      const to = yield* stored(fields)
      return yield* orUnavailable(
        Idempotency.once({
          key: headers["idempotency-key"],
          endpoint: "invoices.create",
          body: payload,
          response: InvoiceView,
          create: Invoices.create(tenantId, external_id, to, yield* author).pipe(
            Effect.flatMap(reconciled),
            Effect.flatMap(detail)
          )
        })
      )
    }),
    imported: Effect.fnUntraced(function* ({ headers, payload, query }) {
      const tenantId = yield* ownerOf(query.tenant_id, undefined)
      const problem = yield* Effect.promise(() => fileProblem(payload, invoiceColumns))
      if (problem !== undefined) return yield* new InvalidRequest({ errors: [{ field: "payload", message: problem }] })
      return yield* orUnavailable(
        Idempotency.once({
          key: headers["idempotency-key"],
          endpoint: "invoices.import",
          body: { payload, tenantId },
          response: ImportView,
          create: Effect.map(invoiceImports.create(tenantId, payload, yield* author), viewOf)
        })
      )
    }),
    progress: ({ params }) => orUnavailable(inScope(Effect.map(invoiceImports.get(params.uuid), viewOf))),
    put: Effect.fnUntraced(function* ({ params, payload, query }) {
      const tenantId = yield* ownerOf(query.tenant_id, payload.customer_id)
      const to = yield* stored(payload)
      const by = yield* author
      return yield* orUnavailable(
        inScope(
          Effect.gen(function* () {
            const { invoice, outcome } = yield* Invoices.put(tenantId, params.external_id, to, by)
            if (outcome !== "unchanged") yield* requestReconcile(tenantId)
            return { outcome, invoice: yield* detail(invoice) }
          })
        )
      )
    }),
    show: ({ params }) => orUnavailable(inScope(Effect.flatMap(Invoices.get(params.uuid), detail))),
    replace: Effect.fnUntraced(function* ({ params, payload }) {
      const to = yield* stored(payload)
      const changing = Invoices.update(params.uuid, () => Effect.succeed(to), yield* author)
      return yield* orUnavailable(inScope(changing.pipe(Effect.flatMap(reconciled), Effect.flatMap(detail))))
    }),
    change: Effect.fnUntraced(function* ({ params, payload }) {
      if (Object.keys(payload).length === 0)
        return yield* new InvalidRequest({ errors: [{ field: "payload", message: "must have at least one field" }] })
      const changing = Invoices.update(params.uuid, (before) => stored(changed(before, payload)), yield* author)
      return yield* orUnavailable(inScope(changing.pipe(Effect.flatMap(reconciled), Effect.flatMap(detail))))
    }),
    remove: Effect.fnUntraced(function* ({ params }) {
      yield* orUnavailable(inScope(Effect.flatMap(Invoices.remove(params.uuid, yield* author), reconciled)))
    }),
    cancel: Effect.fnUntraced(function* ({ params }) {
      const cancelling = Invoices.cancel(params.uuid, yield* author)
      return yield* orUnavailable(inScope(cancelling.pipe(Effect.flatMap(reconciled), Effect.flatMap(detail))))
    })
  })
)
