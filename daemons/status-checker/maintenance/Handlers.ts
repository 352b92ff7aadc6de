import { Effect } from "effect"
import * as Handlers from "#core/http/Handlers.ts"
import { defaultPage } from "#core/http/Paging.ts"
import { MaintenanceApi, MaintenanceView } from "./Api.ts"
import { declaredIds, StatusFiles } from "../status-files/Exports.ts"
import { requester } from "../status/AdminChange.ts"
import * as MaintenanceChanges from "./MaintenanceChanges.ts"
import * as MaintenanceList from "./MaintenanceList.ts"
import { notEmpty, pagedBy } from "../status/AdminAnswers.ts"
import { asProvider, onceAsProvider } from "../status/ProviderOnly.ts"

const { view } = MaintenanceList

export const adminMaintenance = Handlers.group(
  MaintenanceApi,
  "adminMaintenance",
  Effect.fn(function* (handlers) {
    const files = yield* StatusFiles
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query: { before, limit = defaultPage, state } }) {
        return pagedBy(yield* asProvider(MaintenanceList.list(state, before, limit + 1)), limit, view)
      }),
      plan: Effect.fnUntraced(function* ({ headers, payload }) {
        const by = yield* requester
        const made = MaintenanceChanges.plan({ message: "", message_en: "", ...payload }, declaredIds(files), by)
        return yield* onceAsProvider(
          headers["idempotency-key"],
          "maintenance.plan",
          payload,
          MaintenanceView,
          Effect.map(made, view)
        )
      }),
      edit: Effect.fnUntraced(function* ({ params, payload }) {
        const by = yield* requester
        return view(
          yield* asProvider(
            Effect.andThen(notEmpty(payload), MaintenanceChanges.edit(params.id, payload, declaredIds(files), by))
          )
        )
      }),
      cancel: Effect.fnUntraced(function* ({ params }) {
        const by = yield* requester
        return yield* asProvider(MaintenanceChanges.cancel(params.id, by))
      })
    })
  })
)
