import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { SqlClient } from "effect/sql"
import { inScope } from "#core/auth/Caller.ts"
import { Database } from "#core/sql/Database.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { defaultPage, paged } from "#core/http/Paging.ts"
import { InvalidRequest, orUnavailable } from "#core/http/Problem.ts"
import { normaliseEmail } from "#protocols/mail-address/EmailAddress.ts"
import * as Aliases from "../aliases/Aliases.ts"
import { MailAdminApi } from "../Api.ts"
import { AliasView } from "../api/Aliases.ts"
import * as Domains from "../domains/Domains.ts"
import { addressOf, localPart } from "../Names.ts"

/** An alias as it is answered. */
const view = ({ created_at, ...rest }: Aliases.Alias): typeof AliasView.Type => ({
  ...rest,
  created_at: created_at.toISOString()
})

export const domainAliases = HttpApiBuilder.group(
  MailAdminApi,
  "domainAliases",
  Effect.fn(function* (handlers) {
    yield* SqlClient.SqlClient
    yield* Database
    return handlers.handleAll({
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
  })
)

export const aliases = HttpApiBuilder.group(
  MailAdminApi,
  "aliases",
  Effect.fn(function* (handlers) {
    yield* SqlClient.SqlClient
    yield* Database
    return handlers.handleAll({
      show: Effect.fnUntraced(function* ({ params }) {
        return view(yield* orUnavailable(inScope(Aliases.get(params.id))))
      }),
      remove: Effect.fnUntraced(function* ({ params }) {
        yield* orUnavailable(inScope(Aliases.remove(params.id)))
      })
    })
  })
)
