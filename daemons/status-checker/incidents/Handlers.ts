import { Effect } from "effect"
import * as Handlers from "#core/http/Handlers.ts"
import { defaultPage } from "#core/http/Paging.ts"
import { IncidentsApi, IncidentView } from "./Api.ts"
import { declaredIds, StatusFiles } from "../status-files/Exports.ts"
import { invalid, requester } from "../status/AdminChange.ts"
import * as IncidentChanges from "./IncidentChanges.ts"
import * as IncidentList from "./IncidentList.ts"
import { resolvedWords } from "./Transitions.ts"
import { notEmpty, pagedBy } from "../status/AdminAnswers.ts"
import { asProvider, onceAsProvider } from "../status/ProviderOnly.ts"

const { view } = IncidentList

export const adminIncidents = Handlers.group(
  IncidentsApi,
  "adminIncidents",
  Effect.fn(function* (handlers) {
    const files = yield* StatusFiles
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query: { before, limit = defaultPage, state } }) {
        return pagedBy(yield* asProvider(IncidentList.list(state, before, limit + 1)), limit, view)
      }),
      create: Effect.fnUntraced(function* ({ headers, payload }) {
        const { created_at, publish = false, status = "investigating", ...said } = payload
        const by = yield* requester
        const began = created_at === undefined ? undefined : new Date(created_at)
        if (began !== undefined && began.getTime() > Date.now())
          return yield* invalid("payload.created_at", "must not lie in the future")
        const made = IncidentChanges.create({ ...said, status, created_at: began }, declaredIds(files), by)
        const shown = publish
          ? Effect.flatMap(made, ({ id }) =>
              Effect.catchTag(IncidentChanges.publish(id, by), ["NotFound", "AlreadyPublished"], Effect.die)
            )
          : made
        return yield* onceAsProvider(
          headers["idempotency-key"],
          "incidents.create",
          payload,
          IncidentView,
          Effect.map(shown, view)
        )
      }),
      show: Effect.fnUntraced(function* ({ params }) {
        return view(yield* asProvider(IncidentChanges.get(params.id)))
      }),
      edit: Effect.fnUntraced(function* ({ params, payload }) {
        const by = yield* requester
        return view(
          yield* asProvider(
            Effect.andThen(notEmpty(payload), IncidentChanges.edit(params.id, payload, declaredIds(files), by))
          )
        )
      }),
      remove: Effect.fnUntraced(function* ({ params }) {
        const by = yield* requester
        return yield* asProvider(IncidentChanges.remove(params.id, by))
      }),
      update: Effect.fnUntraced(function* ({ headers, params: { id }, payload }) {
        const by = yield* requester
        return yield* onceAsProvider(
          headers["idempotency-key"],
          "incidents.update",
          { id, ...payload },
          IncidentView,
          Effect.map(IncidentChanges.update(id, payload, by), view)
        )
      }),
      publish: Effect.fnUntraced(function* ({ headers, params: { id } }) {
        const by = yield* requester
        return yield* onceAsProvider(
          headers["idempotency-key"],
          "incidents.publish",
          { id },
          IncidentView,
          Effect.map(IncidentChanges.publish(id, by), view)
        )
      }),
      resolve: Effect.fnUntraced(function* ({ headers, params: { id }, payload }) {
        const by = yield* requester
        const done = IncidentChanges.resolve(id, { ...resolvedWords(), ...payload }, by)
        return yield* onceAsProvider(
          headers["idempotency-key"],
          "incidents.resolve",
          { id, ...payload },
          IncidentView,
          Effect.map(done, view)
        )
      })
    })
  })
)
