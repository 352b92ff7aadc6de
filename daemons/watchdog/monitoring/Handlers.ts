import { Effect } from "effect"
import { Caller, nameOf } from "#core/auth/Caller.ts"
import { settings } from "#core/config/Environment.ts"
import { client } from "#core/http/Client.ts"
import * as Handlers from "#core/http/Handlers.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { defaultPage, paged } from "#core/http/Paging.ts"
import { orUnavailable } from "#core/http/Problem.ts"
import { asPlatform, transaction } from "#core/sql/Sql.ts"
import { Alerts } from "../alerting/Exports.ts"
import { CheckView, MonitoringApi } from "./Api.ts"
import * as CheckChanges from "./CheckChanges.ts"
import * as CheckList from "./CheckList.ts"
import { view } from "./CheckRow.ts"
import { monitoringSettings } from "./Settings.ts"

/** Hours of a history when the query names none. */
const usualHours = 24

/** Author of the current request. */
const requester = Effect.gen(function* () {
  const { address } = yield* client
  return { actor: nameOf(yield* Caller), address } satisfies CheckChanges.Author
})

/** The tables belong to no tenant: `ProviderOnly` has refused everybody else. */
const stored = <A, E, R>(effect: Effect.Effect<A, E, R>) => orUnavailable(transaction(effect))

export const monitoringChecks = Handlers.group(
  MonitoringApi,
  "monitoringChecks",
  Effect.fn(function* (handlers) {
    const config = yield* Effect.orDie(settings(monitoringSettings))
    const alerts = yield* Alerts
    const shown = (row: Parameters<typeof view>[0]) => view(row, config)
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query: { alerting, before, limit = defaultPage, ...filter } }) {
        const found = yield* stored(
          CheckList.list(
            { ...filter, ...(alerting === undefined ? {} : { alerting: alerting === "true" }) },
            before,
            limit + 1
          )
        )
        const { items, next_before } = paged(found, limit)
        return { items: items.map(shown), next_before }
      }),
      show: Effect.fnUntraced(function* ({ params: { id }, query: { hours = usualHours } }) {
        return yield* stored(
          Effect.gen(function* () {
            const row = yield* CheckList.show(id)
            return { ...shown(row), ...(yield* CheckList.history(row.id, hours)) }
          })
        )
      }),
      add: Effect.fnUntraced(function* ({ headers, payload }) {
        const by = yield* requester
        return yield* orUnavailable(
          Idempotency.once({
            key: headers["idempotency-key"],
            endpoint: "monitoring.checks.add",
            body: payload,
            response: CheckView,
            // A user's transaction runs with the role of the tenant, which has no rights on these tables.
            create: asPlatform(Effect.map(CheckChanges.add(payload, by), shown))
          })
        )
      }),
      change: Effect.fnUntraced(function* ({ params: { id }, payload }) {
        const by = yield* requester
        const changed = CheckChanges.change(id, payload, by)
        return shown(yield* stored(Effect.provideService(changed, Alerts, alerts)))
      }),
      remove: Effect.fnUntraced(function* ({ params: { id } }) {
        const by = yield* requester
        return yield* stored(Effect.provideService(CheckChanges.remove(id, by), Alerts, alerts))
      }),
      run: Effect.fnUntraced(function* ({ params: { id } }) {
        const by = yield* requester
        return shown(yield* stored(CheckChanges.requestRun(id, by)))
      })
    })
  })
)
