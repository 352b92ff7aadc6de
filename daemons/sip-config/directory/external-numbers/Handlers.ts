import { Effect } from "effect"
import { inScope } from "#core/auth/Caller.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { defaultPage, paged } from "#core/http/Paging.ts"
import { orUnavailable } from "#core/http/Problem.ts"
import * as Handlers from "#core/http/Handlers.ts"
import { DirectoryApi } from "../Api.ts"
import { ExternalNumberView } from "./Api.ts"
import * as ExternalNumbers from "./Store.ts"
import { SipSettings } from "../SipSettings.ts"
import { answered, notEmpty, ownerOf, phoneNumber, storedNumber } from "../Requests.ts"

/** Converts a row to the response. */
const view = (row: ExternalNumbers.ExternalNumber): typeof ExternalNumberView.Type => answered(row)

export const externalNumbers = Handlers.group(
  DirectoryApi,
  "externalNumbers",
  Effect.fn(function* (handlers) {
    const { country } = yield* SipSettings
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query: { before, limit = defaultPage, number, ...rest } }) {
        const filter = {
          ...rest,
          ...(number === undefined ? {} : { number: yield* phoneNumber(number, country, "query.number") })
        }
        return paged((yield* orUnavailable(inScope(ExternalNumbers.list(filter, before, limit + 1)))).map(view), limit)
      }),
      show: Effect.fnUntraced(function* ({ params }) {
        return view(yield* orUnavailable(inScope(ExternalNumbers.get(params.id))))
      }),
      create: Effect.fnUntraced(function* ({ headers, payload }) {
        const tenantId = yield* ownerOf(payload.tenant_id)
        const number = yield* storedNumber(payload.number, country, "payload.number")
        return yield* orUnavailable(
          Idempotency.once({
            key: headers["idempotency-key"],
            endpoint: "sip.external_numbers.create",
            body: payload,
            response: ExternalNumberView,
            create: Effect.map(ExternalNumbers.create(tenantId, { number, name: payload.name }), view)
          })
        )
      }),
      update: Effect.fnUntraced(function* ({ params, payload }) {
        yield* notEmpty(payload)
        const { number, ...rest } = payload
        const to = {
          ...rest,
          ...(number === undefined ? {} : { number: yield* storedNumber(number, country, "payload.number") })
        }
        return view(yield* orUnavailable(inScope(ExternalNumbers.update(params.id, to))))
      }),
      remove: Effect.fnUntraced(function* ({ params }) {
        yield* orUnavailable(inScope(ExternalNumbers.remove(params.id)))
      })
    })
  })
)
