import { Effect } from "effect"
import { inScope } from "#core/auth/Caller.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { defaultPage, paged } from "#core/http/Paging.ts"
import { orUnavailable } from "#core/http/Problem.ts"
import * as Handlers from "#core/http/Handlers.ts"
import { DirectoryApi } from "../Api.ts"
import { RingGroupView } from "./Api.ts"
import * as RingGroups from "./Store.ts"
import { internalNumber, sipDomain } from "../Names.ts"
import { SipSettings } from "../SipSettings.ts"
import { answeredIn, notEmergency, notEmpty, ownerOf } from "../Requests.ts"

/** Converts a row to the response. */
const view = (row: RingGroups.RingGroup): typeof RingGroupView.Type => answeredIn(row)

/** Normalises the numbers and the domain. */
export const normal = <
  A extends { readonly domain?: string; readonly number?: string | null; readonly extensions?: ReadonlyArray<string> }
>(
  sent: A
): A => ({
  ...sent,
  ...(sent.domain === undefined ? {} : { domain: sipDomain(sent.domain)! }),
  ...(sent.number === undefined || sent.number === null ? {} : { number: internalNumber(sent.number)! }),
  ...(sent.extensions === undefined
    ? {}
    : { extensions: sent.extensions.map((extension) => internalNumber(extension)!) })
})

export const ringGroups = Handlers.group(
  DirectoryApi,
  "ringGroups",
  Effect.fn(function* (handlers) {
    const { country } = yield* SipSettings
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query: { before, limit = defaultPage, ...rest } }) {
        const filter = normal(rest)
        return paged((yield* orUnavailable(inScope(RingGroups.list(filter, before, limit + 1)))).map(view), limit)
      }),
      show: Effect.fnUntraced(function* ({ params }) {
        return view(yield* orUnavailable(inScope(RingGroups.get(params.id))))
      }),
      create: Effect.fnUntraced(function* ({ headers, payload }) {
        const tenantId = yield* ownerOf(payload.tenant_id)
        yield* notEmergency(payload.number, country, "payload.number")
        const { domain, extensions, name, number = null, ring_timeout, strategy } = normal(payload)
        return yield* orUnavailable(
          Idempotency.once({
            key: headers["idempotency-key"],
            endpoint: "sip.ring_groups.create",
            body: payload,
            response: RingGroupView,
            create: Effect.map(
              RingGroups.create(tenantId, domain, { name, number, strategy, ring_timeout, extensions }),
              view
            )
          })
        )
      }),
      update: Effect.fnUntraced(function* ({ params, payload }) {
        yield* notEmpty(payload)
        yield* notEmergency(payload.number, country, "payload.number")
        return view(yield* orUnavailable(inScope(RingGroups.update(params.id, normal(payload)))))
      }),
      remove: Effect.fnUntraced(function* ({ params }) {
        yield* orUnavailable(inScope(RingGroups.remove(params.id)))
      })
    })
  })
)
