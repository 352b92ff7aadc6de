import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { SqlClient } from "effect/sql"
import { Database } from "#core/sql/Database.ts"
import { defaultPage } from "#core/http/Paging.ts"
import { Wake } from "#core/events/Wake.ts"
import { StatusCheckerApi } from "../../Api.ts"
import { MaintenanceView } from "./Api.ts"
import { StatusFiles } from "../../status-files/StatusFiles.ts"
import { requester } from "../Acting.ts"
import { declaredBy } from "../Declared.ts"
import * as MaintenanceChanges from "./MaintenanceChanges.ts"
import * as MaintenanceList from "./MaintenanceList.ts"
import { notEmpty, pagedBy } from "../AdminCommon.ts"
import { asProvider, onceAsProvider } from "../../status-files/ProviderOnly.ts"

const { view } = MaintenanceList

export const adminMaintenance = HttpApiBuilder.group(
  StatusCheckerApi,
  "adminMaintenance",
  Effect.fn(function* (handlers) {
    const files = yield* StatusFiles
    yield* SqlClient.SqlClient
    yield* Database
    yield* Wake
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query: { before, limit = defaultPage, state } }) {
        return pagedBy(yield* asProvider(MaintenanceList.list(state, before, limit + 1)), limit, view)
      }),
      plan: Effect.fnUntraced(function* ({ headers, payload }) {
        const by = yield* requester
        const made = MaintenanceChanges.plan({ message: "", message_en: "", ...payload }, declaredBy(files), by)
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
            Effect.andThen(notEmpty(payload), MaintenanceChanges.edit(params.id, payload, declaredBy(files), by))
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
