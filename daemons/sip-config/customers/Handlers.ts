import { Effect } from "effect"
import { Caller, inScope, nameOf } from "#core/auth/Caller.ts"
import { client } from "#core/http/Client.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { defaultPage, paged } from "#core/http/Paging.ts"
import { InvalidRequest, orUnavailable } from "#core/http/Problem.ts"
import { viewOf } from "#core/imports/Imports.ts"
import { fileProblem } from "#core/imports/ImportWorker.ts"
import { CustomerView, CustomersApi, ImportView } from "./Api.ts"
import * as Handlers from "#core/http/Handlers.ts"
import type { Customer } from "./CustomerTelling.ts"
import * as Customers from "./Customers.ts"
import type { Author } from "./CustomerTelling.ts"
import type { CustomerChange } from "./Fields.ts"
import { columnsOf } from "./CustomerRow.ts"
import { customerImports } from "./Imports.ts"
import { normalised } from "./Normalise.ts"
import { answered, invalid, notEmpty, ownerOf, SipSettings } from "../directory/Exports.ts"

/** Converts a customer row to the response. */
const view = ({ version: _version, ...row }: Customer): typeof CustomerView.Type => answered(row)

/** Author of the current request. */
const author = Effect.map(Effect.all([Caller, client]), ([caller, { address }]): Author => ({
  actor: nameOf(caller),
  address
}))

export const customers = Handlers.group(
  CustomersApi,
  "customers",
  Effect.fn(function* (handlers) {
    const { country } = yield* SipSettings
    /** Fields in their stored form; 422 for an invalid phone number. */
    const stored = (fields: typeof CustomerChange.Type) => {
      const found = normalised(fields, country)
      return "noNumber" in found
        ? Effect.fail(invalid(`payload.phones[${found.noNumber}]`, "must be a telephone number such as +49301234567"))
        : Effect.succeed(found)
    }
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query: { before, limit = defaultPage, ...filter } }) {
        return paged((yield* orUnavailable(inScope(Customers.list(filter, before, limit + 1)))).map(view), limit)
      }),
      show: Effect.fnUntraced(function* ({ params }) {
        return view(yield* orUnavailable(inScope(Customers.get(params.id))))
      }),
      create: Effect.fnUntraced(function* ({ headers, payload }) {
        const { tenant_id, ...fields } = payload
        const tenantId = yield* ownerOf(tenant_id)
        const customer = { ...(yield* stored(fields)), number: fields.number, name: fields.name }
        return yield* orUnavailable(
          Idempotency.once({
            key: headers["idempotency-key"],
            endpoint: "customers.create",
            body: payload,
            response: CustomerView,
            create: Effect.map(Customers.create(tenantId, customer, yield* author), view)
          })
        )
      }),
      update: Effect.fnUntraced(function* ({ params, payload }) {
        yield* notEmpty(payload)
        return view(yield* orUnavailable(inScope(Customers.update(params.id, yield* stored(payload), yield* author))))
      }),
      remove: Effect.fnUntraced(function* ({ params }) {
        yield* orUnavailable(inScope(Customers.remove(params.id, yield* author)))
      }),
      imported: Effect.fnUntraced(function* ({ headers, payload, query }) {
        const tenantId = yield* ownerOf(query.tenant_id)
        const problem = yield* Effect.promise(() => fileProblem(payload, columnsOf))
        if (problem !== undefined)
          return yield* new InvalidRequest({ errors: [{ field: "payload", message: problem }] })
        return yield* orUnavailable(
          Idempotency.once({
            key: headers["idempotency-key"],
            endpoint: "customers.import",
            body: { payload, tenantId },
            response: ImportView,
            create: Effect.map(customerImports.create(tenantId, payload, yield* author), viewOf)
          })
        )
      }),
      progress: Effect.fnUntraced(function* ({ params }) {
        return viewOf(yield* orUnavailable(inScope(customerImports.get(params.id))))
      })
    })
  })
)
