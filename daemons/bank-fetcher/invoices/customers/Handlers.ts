import { Effect } from "effect"
import { inScope } from "#core/auth/Caller.ts"
import * as Handlers from "#core/http/Handlers.ts"
import { defaultPage } from "#core/http/Paging.ts"
import { orUnavailable } from "#core/http/Problem.ts"
import { ibanOf } from "../../bank-store/Iban.ts"
import { InvoicesApi } from "../Api.ts"
import { author } from "../Author.ts"
import * as Ibans from "./Ibans.ts"

/** The stored form of an IBAN that its schema accepted. */
const stored = (iban: string): string => ibanOf(iban) ?? iban

export const customers = Handlers.group(InvoicesApi, "bankCustomers", (handlers) =>
  handlers.handleAll({
    list: Effect.fnUntraced(function* ({ query: { before, limit = defaultPage, ...filter } }) {
      const rows = yield* orUnavailable(inScope(Ibans.list(filter, before, limit + 1)))
      return { items: rows.slice(0, limit), next_before: rows.length > limit ? rows[limit - 1]!.customer_id : null }
    }),
    show: ({ params }) => orUnavailable(inScope(Ibans.get(params.customer_id))),
    replace: Effect.fnUntraced(function* ({ params, payload }) {
      return yield* orUnavailable(inScope(Ibans.replace(params.customer_id, payload.ibans.map(stored), yield* author)))
    }),
    add: Effect.fnUntraced(function* ({ params, payload }) {
      return yield* orUnavailable(inScope(Ibans.addIban(params.customer_id, stored(payload.iban), yield* author)))
    }),
    clear: Effect.fnUntraced(function* ({ params }) {
      yield* orUnavailable(inScope(Ibans.replace(params.customer_id, [], yield* author)))
    })
  })
)
