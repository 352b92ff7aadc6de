import { Effect } from "effect"
import * as Handlers from "#core/http/Handlers.ts"
import { inScope } from "#core/auth/Caller.ts"
import { cleanCompose } from "#core/html/ComposeLink.ts"
import { orUnavailable } from "#core/http/Problem.ts"
import { normaliseEmail } from "#protocols/mail-address/EmailAddress.ts"
import { accountOf } from "../../accounts/Exports.ts"
import { view } from "../signatures/Handlers.ts"
import * as Signatures from "../signatures/Store.ts"
import { parseMailto } from "./MailtoUri.ts"
import { PeopleApi } from "../Api.ts"

export const compose = Handlers.group(PeopleApi, "webmailCompose", (handlers) =>
  handlers.handleAll({
    compose: Effect.fnUntraced(function* ({ query: { account, mailto, ...parameters } }) {
      const mailAccount = yield* orUnavailable(accountOf(account))
      const clean = cleanCompose({ ...(mailto === undefined ? {} : parseMailto(mailto)), ...parameters })
      const [first] = clean.to
      const signature = yield* orUnavailable(
        inScope(Signatures.match(mailAccount, first === undefined ? undefined : normaliseEmail(first)))
      )
      return { ...clean, signature: signature === undefined ? null : view(signature) }
    })
  })
)
