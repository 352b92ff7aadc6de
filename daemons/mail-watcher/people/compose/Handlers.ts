import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { SqlClient } from "effect/sql"
import { inScope } from "#core/auth/Caller.ts"
import { cleanCompose } from "#core/html/ComposeLink.ts"
import { orUnavailable } from "#core/http/Problem.ts"
import { normaliseEmail } from "#protocols/mail-address/EmailAddress.ts"
import { accountOf } from "../../accounts/AccountAccess.ts"
import { MailWatcherApi } from "../../Api.ts"
import { parseMailto } from "./MailtoUri.ts"
import * as Signatures from "../signatures/Store.ts"
import { view } from "../signatures/Handlers.ts"

export const compose = HttpApiBuilder.group(
  MailWatcherApi,
  "webmailCompose",
  Effect.fn(function* (handlers) {
    yield* SqlClient.SqlClient
    return handlers.handleAll({
      compose: Effect.fnUntraced(function* ({ query: { account, mailto, ...parameters } }) {
        const of = yield* orUnavailable(accountOf(account))
        const clean = cleanCompose({ ...(mailto === undefined ? {} : parseMailto(mailto)), ...parameters })
        const [first] = clean.to
        const signature = yield* orUnavailable(
          inScope(Signatures.match(of, first === undefined ? undefined : normaliseEmail(first)))
        )
        return { ...clean, signature: signature === undefined ? null : view(signature) }
      })
    })
  })
)
