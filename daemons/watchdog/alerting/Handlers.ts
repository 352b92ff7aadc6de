import { Effect } from "effect"
import { Caller, nameOf } from "#core/auth/Caller.ts"
import * as Handlers from "#core/http/Handlers.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { defaultPage } from "#core/http/Paging.ts"
import { orUnavailable } from "#core/http/Problem.ts"
import { asPlatform, transaction } from "#core/sql/Sql.ts"
import { AlertDesk } from "./AlertDesk.ts"
import * as AlertList from "./AlertList.ts"
import * as AlertStore from "./AlertStore.ts"
import { AlertingApi, SilenceView } from "./Api.ts"
import * as Heartbeats from "./Heartbeats.ts"
import { isLate } from "./HeartbeatDecision.ts"
import * as Silences from "./Silences.ts"

/** One short transaction; `ProviderOnly` has checked the caller. */
const once = <A, E, R>(effect: Effect.Effect<A, E, R>) => orUnavailable(transaction(effect))

const requester = Effect.map(Caller, nameOf)

/** A page of rows that were read with one row more than `limit`. */
const pageOf = <A extends { readonly seq: number }>(found: ReadonlyArray<A>, limit: number) => {
  const items = found.slice(0, limit)
  return { items, next_before: found.length > limit ? items.at(-1)!.seq : null }
}

export const alertHandlers = Handlers.group(
  AlertingApi,
  "monitoringAlerts",
  Effect.fn(function* (handlers) {
    const { targets } = yield* AlertDesk
    return handlers.handleAll({
      list: ({ query: { before, limit = defaultPage, ...filter } }) =>
        Effect.map(once(AlertList.list(filter, before, limit + 1)), (found) => pageOf(found, limit)),
      show: ({ params: { id } }) => once(AlertList.show(id.toLowerCase())),
      acknowledge: Effect.fnUntraced(function* ({ params: { id }, payload: { note } }) {
        return yield* once(AlertList.acknowledge(id.toLowerCase(), note, yield* requester))
      }),
      test: Effect.fnUntraced(function* () {
        return yield* once(AlertList.sendTest(targets(), yield* requester))
      }),
      message: ({ params: { id } }) => once(AlertList.message(id.toLowerCase())),
      rules: () => once(AlertStore.rules),
      setRules: Effect.fnUntraced(function* ({ payload }) {
        return yield* once(AlertList.setRules(payload, yield* requester))
      })
    })
  })
)

export const silenceHandlers = Handlers.group(AlertingApi, "monitoringSilences", (handlers) =>
  Effect.succeed(
    handlers.handleAll({
      list: ({ query: { before, limit = defaultPage, state } }) =>
        Effect.map(once(Silences.list(state, before, limit + 1)), (found) => pageOf(found, limit)),
      show: ({ params: { id } }) => once(Silences.show(id.toLowerCase())),
      create: Effect.fnUntraced(function* ({ headers, payload }) {
        const by = yield* requester
        return yield* orUnavailable(
          Idempotency.once({
            key: headers["idempotency-key"],
            endpoint: "watchdog.silence",
            body: payload,
            response: SilenceView,
            // A user's transaction would run with the role of the tenant, which has no rights on these tables.
            create: asPlatform(Silences.create(payload, by))
          })
        )
      }),
      edit: Effect.fnUntraced(function* ({ params: { id }, payload }) {
        return yield* once(Silences.edit(id.toLowerCase(), payload, yield* requester))
      }),
      end: Effect.fnUntraced(function* ({ params: { id } }) {
        return yield* once(Silences.end(id.toLowerCase(), yield* requester))
      })
    })
  )
)

export const heartbeatHandlers = Handlers.group(
  AlertingApi,
  "monitoringHeartbeats",
  Effect.fn(function* (handlers) {
    const { second } = (yield* AlertDesk).settings
    return handlers.handleAll({
      list: Effect.fnUntraced(function* () {
        const now = Date.now()
        const items = (yield* once(Heartbeats.all)).map((heartbeat) => ({
          name: heartbeat.name,
          state: isLate(heartbeat, now, second) ? ("late" as const) : ("alive" as const),
          last_at: new Date(heartbeat.lastAt).toISOString(),
          timeout_s: heartbeat.timeoutS
        }))
        return { items }
      }),
      beat: ({ params: { name }, payload: { timeout_s } }) => once(Heartbeats.beat(name, timeout_s)),
      forget: ({ params: { name } }) => once(Heartbeats.forget(name))
    })
  })
)
