import { Effect } from "effect"
import type { CountryCode } from "libphonenumber-js/min"
import { inScope } from "#core/auth/Caller.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { defaultPage, paged } from "#core/http/Paging.ts"
import { orUnavailable } from "#core/http/Problem.ts"
import * as Handlers from "#core/http/Handlers.ts"
import { DirectoryApi } from "../Api.ts"
import { IvrMenuView } from "./Api.ts"
import * as IvrMenus from "./Store.ts"
import { sipDomain } from "../Names.ts"
import { SipSettings } from "../SipSettings.ts"
import { answeredIn, notEmergency, notEmpty, ownerOf } from "../Requests.ts"

/** Converts a row to the response. */
const view = (row: IvrMenus.IvrMenu): typeof IvrMenuView.Type => answeredIn(row)

/** Normalises the domain. */
const normal = <A extends { readonly domain?: string }>(sent: A): A =>
  sent.domain === undefined ? sent : { ...sent, domain: sipDomain(sent.domain)! }

/** Fails with 422 for the first entry whose keys are an emergency number. */
const keysAreFree = (entries: ReadonlyArray<{ readonly digits: string }> = [], country: CountryCode) =>
  Effect.forEach(entries, ({ digits }, index) => notEmergency(digits, country, `payload.entries[${index}].digits`), {
    discard: true
  })

export const ivrMenus = Handlers.group(
  DirectoryApi,
  "ivrMenus",
  Effect.fn(function* (handlers) {
    const { country } = yield* SipSettings
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query: { before, limit = defaultPage, ...rest } }) {
        const filter = normal(rest)
        return paged((yield* orUnavailable(inScope(IvrMenus.list(filter, before, limit + 1)))).map(view), limit)
      }),
      show: Effect.fnUntraced(function* ({ params }) {
        return view(yield* orUnavailable(inScope(IvrMenus.get(params.id))))
      }),
      create: Effect.fnUntraced(function* ({ headers, payload }) {
        const tenantId = yield* ownerOf(payload.tenant_id)
        yield* keysAreFree(payload.entries, country)
        const { domain, entries = [], greeting, max_failures = 3, name, timeout = 5 } = normal(payload)
        return yield* orUnavailable(
          Idempotency.once({
            key: headers["idempotency-key"],
            endpoint: "sip.ivr_menus.create",
            body: payload,
            response: IvrMenuView,
            create: Effect.map(
              IvrMenus.create(tenantId, domain, { name, greeting, timeout, max_failures, entries }),
              view
            )
          })
        )
      }),
      update: Effect.fnUntraced(function* ({ params, payload }) {
        yield* notEmpty(payload)
        yield* keysAreFree(payload.entries, country)
        return view(yield* orUnavailable(inScope(IvrMenus.update(params.id, normal(payload)))))
      }),
      remove: Effect.fnUntraced(function* ({ params }) {
        yield* orUnavailable(inScope(IvrMenus.remove(params.id)))
      })
    })
  })
)
