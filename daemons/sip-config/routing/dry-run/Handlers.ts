import { Effect } from "effect"
import { Caller } from "#core/auth/Caller.ts"
import { offeredLanguageFor } from "#core/words/InLanguage.ts"
import { NotFound, Unavailable } from "#core/http/Problem.ts"
import * as Handlers from "#core/http/Handlers.ts"
import { RoutingApi } from "./Api.ts"
import { test, words } from "./DryRun.ts"
import { ownerOf, SipSettings } from "../../directory/Exports.ts"
import { TelephonyProjection } from "../TelephonyProjection.ts"
import { planOf } from "../CallPlan.ts"

export const routeTest = Handlers.group(
  RoutingApi,
  "routeTest",
  Effect.fn(function* (handlers) {
    const picture = yield* TelephonyProjection
    const plan = planOf(yield* SipSettings)
    return handlers.handleAll({
      test: Effect.fnUntraced(function* ({ payload: { from, tenant_id, to }, query: { lang } }) {
        const caller = yield* Caller
        // Compares the projection first, so that it includes the caller's latest changes.
        yield* Effect.mapError(picture.refreshWhenBusy, ({ message }) => new Unavailable({ detail: message }))
        // Service tokens see all tenants unless they name one.
        const tenantId = caller.kind === "user" ? yield* ownerOf(tenant_id) : tenant_id
        const question = { from: from.trim(), to: to.replace(/[\s()/-]/g, ""), tenantId }
        const language = yield* offeredLanguageFor(lang)
        return (
          test(picture.telephony, plan, question, language) ??
          (yield* new NotFound({ detail: words(language).noSuchExtension }))
        )
      })
    })
  })
)
