import { Effect } from "effect"
import { Caller, inScope } from "#core/auth/Caller.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { defaultPage, paged } from "#core/http/Paging.ts"
import { Forbidden, orUnavailable } from "#core/http/Problem.ts"
import { mayAssert } from "#core/ownership/NameClaims.ts"
import { transaction } from "#core/sql/Sql.ts"
import * as Handlers from "#core/http/Handlers.ts"
import { DirectoryApi } from "../Api.ts"
import { changed } from "../Change.ts"
import { DidView } from "./Api.ts"
import * as Dids from "./Store.ts"
import { SipSettings } from "../SipSettings.ts"
import { answered, notEmpty, ownerOf, phoneNumber, storedNumber } from "../Requests.ts"

/** Converts a row to the response. */
export const view = (row: Dids.Did): typeof DidView.Type => {
  const { assigned, ...rest } = answered(row)
  return { ...rest, state: assigned ? "assigned" : "pending" }
}

export const dids = Handlers.group(
  DirectoryApi,
  "dids",
  Effect.fn(function* (handlers) {
    const { country } = yield* SipSettings
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query: { before, limit = defaultPage, number, ...rest } }) {
        const filter = {
          ...rest,
          ...(number === undefined ? {} : { number: yield* phoneNumber(number, country, "query.number") })
        }
        return paged((yield* orUnavailable(inScope(Dids.list(filter, before, limit + 1)))).map(view), limit)
      }),
      show: Effect.fnUntraced(function* ({ params }) {
        return view(yield* orUnavailable(inScope(Dids.get(params.id))))
      }),
      create: Effect.fnUntraced(function* ({ headers, payload }) {
        const tenantId = yield* ownerOf(payload.tenant_id)
        const { destination_id, destination_type, name, trunk_id = null } = payload
        const did = {
          number: yield* storedNumber(payload.number, country, "payload.number"),
          name,
          trunk_id,
          destination_type,
          destination_id
        }
        return yield* orUnavailable(
          Idempotency.once({
            key: headers["idempotency-key"],
            endpoint: "sip.dids.create",
            body: payload,
            response: DidView,
            create: Effect.map(Dids.create(tenantId, did), view)
          })
        )
      }),
      update: Effect.fnUntraced(function* ({ params, payload: { number, ...rest } }) {
        yield* notEmpty(number === undefined ? rest : { number })
        const to = {
          ...rest,
          ...(number === undefined ? {} : { number: yield* storedNumber(number, country, "payload.number") })
        }
        return view(yield* orUnavailable(inScope(Dids.update(params.id, to))))
      }),
      assign: Effect.fnUntraced(function* ({ params }) {
        if (!mayAssert(yield* Caller)) return yield* new Forbidden({ detail: "Only the provider may assign numbers." })
        // The provider assigns numbers to every tenant.
        return view(
          yield* orUnavailable(
            transaction(Dids.assign(params.id, (row) => changed("sip_did", row, "assigned", { number: row.number })))
          )
        )
      }),
      remove: Effect.fnUntraced(function* ({ params }) {
        yield* orUnavailable(inScope(Dids.remove(params.id)))
      })
    })
  })
)
