import { Effect } from "effect"
import { inScope } from "#core/auth/Caller.ts"
import * as Handlers from "#core/http/Handlers.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { defaultPage } from "#core/http/Paging.ts"
import { InvalidRequest, orUnavailable } from "#core/http/Problem.ts"
import { viewOf } from "#core/imports/Imports.ts"
import { fileProblem } from "#core/imports/ImportWorker.ts"
import * as Audit from "#core/log/Audit.ts"
import { requestReconcile } from "../../bank-store/ReconcileRequest.ts"
import { pagedBySeq } from "../../bank-store/SeqPage.ts"
import { InvoicesApi } from "../Api.ts"
import { author } from "../Author.ts"
import { PaymentMatched } from "../Errors.ts"
import { ImportView } from "../imports/Api.ts"
import { paymentColumns } from "../imports/PaymentRow.ts"
import { paymentImports } from "../imports/ImportKinds.ts"
import { ownerOf } from "../Requests.ts"
import { PaymentView } from "./Api.ts"
import type { PaymentFields } from "./Fields.ts"
import * as Payments from "./Payments.ts"
import * as RecordPayment from "./RecordPayment.ts"
import { recordedOf } from "./Requests.ts"
import { undoPayment } from "./UndoPayment.ts"
import { view } from "./Views.ts"

const recorded = (fields: typeof PaymentFields.Type) => {
  const found = recordedOf(fields)
  return "problems" in found ? Effect.fail(new InvalidRequest({ errors: found.problems })) : Effect.succeed(found)
}

const shown = (id: string) => Effect.map(Effect.orDie(Payments.get(id)), view)

export const payments = Handlers.group(InvoicesApi, "payments", (handlers) =>
  handlers.handleAll({
    list: Effect.fnUntraced(function* ({ query: { before, limit = defaultPage, ...filter } }) {
      return pagedBySeq(yield* orUnavailable(inScope(Payments.list(filter, before, limit + 1))), limit, view)
    }),
    create: Effect.fnUntraced(function* ({ headers, payload }) {
      const { external_id: externalId = null, tenant_id, ...fields } = payload
      const tenantId = yield* ownerOf(tenant_id, fields.customer_id)
      const payment = { ...(yield* recorded(fields)), externalId }
      return yield* orUnavailable(
        Idempotency.once({
          key: headers["idempotency-key"],
          endpoint: "payments.create",
          body: payload,
          response: PaymentView,
          create: Effect.flatMap(RecordPayment.record(tenantId, payment, yield* author), shown)
        })
      )
    }),
    put: Effect.fnUntraced(function* ({ params, payload, query }) {
      const tenantId = yield* ownerOf(query.tenant_id, payload.customer_id)
      const payment = { ...(yield* recorded(payload)), externalId: params.external_id }
      const by = yield* author
      return yield* orUnavailable(
        inScope(
          Effect.gen(function* () {
            const { id, outcome } = yield* RecordPayment.put(tenantId, payment, by)
            return { outcome, payment: yield* shown(id) }
          })
        )
      )
    }),
    imported: Effect.fnUntraced(function* ({ headers, payload, query }) {
      const tenantId = yield* ownerOf(query.tenant_id, undefined)
      const problem = yield* Effect.promise(() => fileProblem(payload, paymentColumns))
      if (problem !== undefined) return yield* new InvalidRequest({ errors: [{ field: "payload", message: problem }] })
      return yield* orUnavailable(
        Idempotency.once({
          key: headers["idempotency-key"],
          endpoint: "payments.import",
          body: { payload, tenantId },
          response: ImportView,
          create: Effect.map(paymentImports.create(tenantId, payload, yield* author), viewOf)
        })
      )
    }),
    progress: ({ params }) => orUnavailable(inScope(Effect.map(paymentImports.get(params.uuid), viewOf))),
    show: ({ params }) => orUnavailable(inScope(Effect.map(Payments.get(params.uuid), view))),
    undo: Effect.fnUntraced(function* ({ params: { uuid } }) {
      const by = yield* author
      return yield* orUnavailable(
        inScope(
          Effect.gen(function* () {
            const { tenant_id: tenantId, transaction_id: transactionId } = yield* Payments.get(uuid)
            if (transactionId !== null) return yield* new PaymentMatched({ transaction_id: transactionId })
            if (yield* undoPayment(uuid)) {
              yield* Audit.write({ tenantId, ...by, action: "payment.undone", entity: "payment", id: uuid })
              yield* requestReconcile(tenantId)
            }
            return yield* shown(uuid)
          })
        )
      )
    })
  })
)
