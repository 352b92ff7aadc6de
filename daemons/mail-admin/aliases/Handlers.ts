import { Effect } from "effect"
import { inScope } from "#core/auth/Caller.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { defaultPage, paged } from "#core/http/Paging.ts"
import { InvalidRequest, orUnavailable } from "#core/http/Problem.ts"
import { normaliseEmail } from "#protocols/mail-address/EmailAddress.ts"
import * as Aliases from "./Aliases.ts"
import * as Handlers from "#core/http/Handlers.ts"
import { AliasesApi } from "./Api.ts"
import { AliasView } from "./Api.ts"
import { addressOf, Domains, localPart } from "../domains/Exports.ts"

/** API representation of an alias. */
const view = ({ created_at, ...rest }: Aliases.Alias): typeof AliasView.Type => ({
  ...rest,
  created_at: created_at.toISOString()
})

export const domainAliases = Handlers.group(AliasesApi, "domainAliases", (handlers) =>
  handlers.handleAll({
    list: Effect.fnUntraced(function* ({ params, query: { before, limit = defaultPage } }) {
      const found = yield* orUnavailable(
        inScope(Effect.andThen(Domains.get(params.id), Aliases.list(params.id, before, limit + 1)))
      )
      return paged(found.map(view), limit)
    }),
    create: Effect.fnUntraced(function* ({ headers, params, payload }) {
      const { domain } = yield* orUnavailable(inScope(Domains.get(params.id)))
      const source = localPart(payload.source)!
      if (addressOf(source, domain) === undefined) {
        return yield* new InvalidRequest({
          errors: [{ field: "payload.source", message: "is too long for this domain" }]
        })
      }
      return yield* orUnavailable(
        Idempotency.once({
          key: headers["idempotency-key"],
          endpoint: "mail.aliases.create",
          body: { ...payload, domain: params.id },
          response: AliasView,
          create: Effect.map(Aliases.create(params.id, source, normaliseEmail(payload.destination)!), view)
        })
      )
    })
  })
)

export const aliases = Handlers.group(AliasesApi, "aliases", (handlers) =>
  handlers.handleAll({
    show: Effect.fnUntraced(function* ({ params }) {
      return view(yield* orUnavailable(inScope(Aliases.get(params.id))))
    }),
    remove: Effect.fnUntraced(function* ({ params }) {
      yield* orUnavailable(inScope(Aliases.remove(params.id)))
    })
  })
)
