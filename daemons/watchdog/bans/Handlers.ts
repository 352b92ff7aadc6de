import { Effect } from "effect"
import { settings } from "#core/config/Environment.ts"
import { Caller, nameOf } from "#core/auth/Caller.ts"
import { client as clientOf } from "#core/http/Client.ts"
import * as Handlers from "#core/http/Handlers.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { defaultPage, paged } from "#core/http/Paging.ts"
import { orUnavailable } from "#core/http/Problem.ts"
import { asPlatform, transaction } from "#core/sql/Sql.ts"
import * as AlertStore from "./AlertStore.ts"
import { DecisionView, ExemptionView, SecurityApi } from "./Api.ts"
import * as Changes from "./Changes.ts"
import { CrowdSecClient } from "./CrowdSecClient.ts"
import * as CrowdSecState from "./CrowdSecState.ts"
import { staleAfter } from "./CrowdSecSync.ts"
import * as DecisionStore from "./DecisionStore.ts"
import * as ExemptionStore from "./ExemptionStore.ts"
import { defaultDays, liftExemption } from "./Fields.ts"
import { hostAddresses } from "./HostAddresses.ts"
import { banSettings } from "./Settings.ts"
import { summary } from "./Summary.ts"

const author = Effect.gen(function* () {
  const { address } = yield* clientOf
  return { actor: nameOf(yield* Caller), address } satisfies Changes.Author
})

/**
 * Handlers of `/api/v1/security`. All callers are the provider's (`ProviderOnly`), and the tables have no tenant, so
 * transactions run as the platform role.
 */
export const security = Handlers.group(
  SecurityApi,
  "security",
  Effect.fn(function* (handlers) {
    const config = yield* settings(banSettings)
    const { client } = yield* CrowdSecClient
    const crowdsec = client !== undefined
    const state = Effect.map(crowdsec ? CrowdSecState.read : Effect.succeed(undefined), (known) =>
      CrowdSecState.shown(known, Date.now(), staleAfter(config.crowdsecInterval))
    )

    return handlers.handleAll({
      decisions: Effect.fnUntraced(function* ({ query: { before, limit = defaultPage, ...filter } }) {
        const rows = DecisionStore.list(filter, crowdsec, before, limit + 1)
        const [found, known] = yield* orUnavailable(transaction(Effect.all([rows, state])))
        const { items, next_before } = paged(found, limit)
        const away = known.state === "away"
        return { items: items.map((row) => DecisionStore.view(row, away)), next_before, crowdsec: known }
      }),
      ban: Effect.fnUntraced(function* ({ headers, payload }) {
        const by = yield* author
        const { address, duration_s: seconds, reason } = payload
        const safe = { own: hostAddresses(), trusted: config.trustedProxies }
        return yield* orUnavailable(
          Idempotency.once({
            key: headers["idempotency-key"],
            endpoint: "security.ban",
            body: payload,
            response: DecisionView,
            create: asPlatform(
              Effect.map(Changes.ban({ address, seconds, reason }, by, safe), (row) => DecisionStore.view(row, false))
            )
          })
        )
      }),
      lift: Effect.fnUntraced(function* ({ params: { id }, query: { exempt_s = liftExemption, reason } }) {
        return yield* orUnavailable(Changes.lift({ id, exemptSeconds: exempt_s, reason }, yield* author))
      }),
      alerts: Effect.fnUntraced(function* ({ query: { before, limit = defaultPage, ...filter } }) {
        const rows = AlertStore.list(filter, crowdsec, before, limit + 1)
        const [found, known] = yield* orUnavailable(transaction(Effect.all([rows, state])))
        const { items, next_before } = paged(found, limit)
        return { items: items.map(AlertStore.view), next_before, crowdsec: known }
      }),
      summary: Effect.fnUntraced(function* ({ query: { days = defaultDays } }) {
        const [counts, known] = yield* orUnavailable(transaction(Effect.all([summary(days, crowdsec), state])))
        return { crowdsec: known, ...counts }
      }),
      exemptions: Effect.fnUntraced(function* ({ query: { before, limit = defaultPage } }) {
        const { items, next_before } = paged(
          yield* orUnavailable(transaction(ExemptionStore.list(before, limit + 1))),
          limit
        )
        return { items: items.map(ExemptionStore.view), next_before }
      }),
      exempt: Effect.fnUntraced(function* ({ headers, payload }) {
        const by = yield* author
        const { address, duration_s: seconds, reason } = payload
        return yield* orUnavailable(
          Idempotency.once({
            key: headers["idempotency-key"],
            endpoint: "security.exempt",
            body: payload,
            response: ExemptionView,
            create: asPlatform(Effect.map(Changes.exempt({ address, seconds, reason }, by), ExemptionStore.view))
          })
        )
      }),
      endExemption: Effect.fnUntraced(function* ({ params: { id } }) {
        yield* orUnavailable(transaction(Changes.endExemption(id, yield* author)))
      })
    })
  })
)
