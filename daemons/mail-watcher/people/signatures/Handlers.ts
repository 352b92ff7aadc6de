import { Effect } from "effect"
import * as Handlers from "#core/http/Handlers.ts"
import { inScope } from "#core/auth/Caller.ts"
import { HtmlWorker } from "#core/html/HtmlWorker.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { defaultPage, paged } from "#core/http/Paging.ts"
import { InvalidRequest, NotFound, orUnavailable } from "#core/http/Problem.ts"
import { normaliseEmail } from "#protocols/mail-address/EmailAddress.ts"
import { accountOf } from "../../accounts/Exports.ts"
import { SignatureView } from "./Api.ts"
import { cleaned } from "./SignatureHtml.ts"
import { normalised } from "./SignatureRules.ts"
import * as Signatures from "./Store.ts"
import { PeopleApi } from "../Api.ts"

/** A signature as answered. */
export const view = ({ created_at, updated_at, ...rest }: Signatures.Signature): typeof SignatureView.Type => ({
  ...rest,
  created_at: created_at.toISOString(),
  updated_at: updated_at.toISOString()
})

export const signatures = Handlers.group(
  PeopleApi,
  "signatures",
  Effect.fn(function* (handlers) {
    const worker = yield* HtmlWorker
    const clean = (html: string) => Effect.provideService(cleaned(html), HtmlWorker, worker)
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query: { account, before, limit = defaultPage } }) {
        const mailAccount = yield* orUnavailable(accountOf(account))
        return paged((yield* orUnavailable(inScope(Signatures.list(mailAccount, before, limit + 1)))).map(view), limit)
      }),
      create: Effect.fnUntraced(function* ({ headers, payload, query }) {
        const account = yield* orUnavailable(accountOf(query.account))
        const html = yield* clean(payload.html)
        const { is_default = false, name, rules = [] } = payload
        return yield* orUnavailable(
          Idempotency.once({
            key: headers["idempotency-key"],
            endpoint: "mail.signatures.create",
            body: { ...payload, account: account.id },
            response: SignatureView,
            create: Effect.map(Signatures.create(account, { name, html, is_default, rules: normalised(rules) }), view)
          })
        )
      }),
      match: Effect.fnUntraced(function* ({ query }) {
        const account = yield* orUnavailable(accountOf(query.account))
        const found = yield* orUnavailable(inScope(Signatures.match(account, normaliseEmail(query.to))))
        return found === undefined
          ? yield* new NotFound({ detail: "No signature matches this recipient, and there is no default signature." })
          : view(found)
      }),
      show: Effect.fnUntraced(function* ({ params, query }) {
        const account = yield* orUnavailable(accountOf(query.account))
        return view(yield* orUnavailable(inScope(Signatures.get(account, params.id))))
      }),
      update: Effect.fnUntraced(function* ({ params, payload: { html, rules, ...rest }, query }) {
        const account = yield* orUnavailable(accountOf(query.account))
        if (html === undefined && rules === undefined && Object.keys(rest).length === 0) {
          return yield* new InvalidRequest({ errors: [{ field: "payload", message: "must have at least one field" }] })
        }
        // Sanitising is expensive, so a missing signature fails first.
        yield* orUnavailable(inScope(Signatures.get(account, params.id)))
        const to = {
          ...rest,
          ...(html === undefined ? {} : { html: yield* clean(html) }),
          ...(rules === undefined ? {} : { rules: normalised(rules) })
        }
        return view(yield* orUnavailable(inScope(Signatures.update(account, params.id, to))))
      }),
      remove: Effect.fnUntraced(function* ({ params, query }) {
        const account = yield* orUnavailable(accountOf(query.account))
        yield* orUnavailable(inScope(Signatures.remove(account, params.id)))
      })
    })
  })
)
