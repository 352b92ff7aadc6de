import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { SqlClient } from "effect/sql"
import { inScope } from "#core/auth/Caller.ts"
import { Database } from "#core/sql/Database.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { defaultPage, paged } from "#core/http/Paging.ts"
import { orUnavailable } from "#core/http/Problem.ts"
import { Wake } from "#core/events/Wake.ts"
import { SipConfigApi } from "../Api.ts"
import { ExternalNumberView } from "../api/ExternalNumbers.ts"
import * as ExternalNumbers from "../data/ExternalNumbers.ts"
import { SipSettings } from "../SipSettings.ts"
import { answered, notEmpty, ownerOf, phoneNumber } from "./Common.ts"

/** An external number as it is answered. */
const view = (row: ExternalNumbers.ExternalNumber): typeof ExternalNumberView.Type => answered(row)

export const externalNumbers = HttpApiBuilder.group(
  SipConfigApi,
  "externalNumbers",
  Effect.fn(function* (handlers) {
    const { country } = yield* SipSettings
    yield* SqlClient.SqlClient
    yield* Database
    yield* Wake
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
        const number = yield* phoneNumber(payload.number, country, "payload.number")
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
          ...(number === undefined ? {} : { number: yield* phoneNumber(number, country, "payload.number") })
        }
        return view(yield* orUnavailable(inScope(ExternalNumbers.update(params.id, to))))
      }),
      remove: Effect.fnUntraced(function* ({ params }) {
        yield* orUnavailable(inScope(ExternalNumbers.remove(params.id)))
      })
    })
  })
)
