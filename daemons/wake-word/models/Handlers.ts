import { Effect } from "effect"
import { Caller, nameOf } from "#core/auth/Caller.ts"
import * as Handlers from "#core/http/Handlers.ts"
import { defaultPage, paged } from "#core/http/Paging.ts"
import { orUnavailable } from "#core/http/Problem.ts"
import { inTenantOf } from "../vocabulary/Exports.ts"
import { ModelsApi } from "./Api.ts"
import * as Store from "./Store.ts"

export const models = Handlers.group(ModelsApi, "wakewordModels", (handlers) =>
  handlers.handleAll({
    list: Effect.fnUntraced(function* ({ query: { before, limit = defaultPage, tenant_id } }) {
      const found = yield* orUnavailable(inTenantOf(tenant_id, (tenant) => Store.list(tenant, before, limit + 1)))
      return paged(found.map(Store.view), limit)
    }),
    show: ({ params: { name }, query }) =>
      orUnavailable(
        Effect.map(
          inTenantOf(query.tenant_id, (tenant) => Store.get(tenant, name)),
          ({ curve, ...row }) => ({ ...Store.view(row), curve })
        )
      ),
    file: ({ params: { name }, query }) =>
      orUnavailable(inTenantOf(query.tenant_id, (tenant) => Store.file(tenant, name))),
    activate: Effect.fnUntraced(function* ({ params: { name }, query: { force, tenant_id } }) {
      const actor = nameOf(yield* Caller)
      return yield* orUnavailable(
        Effect.map(
          inTenantOf(tenant_id, (tenant) => Store.activate(tenant, name, force === "true", actor)),
          Store.view
        )
      )
    }),
    deactivate: Effect.fnUntraced(function* ({ params: { name }, query: { tenant_id } }) {
      const actor = nameOf(yield* Caller)
      return yield* orUnavailable(
        Effect.map(
          inTenantOf(tenant_id, (tenant) => Store.deactivate(tenant, name, actor)),
          Store.view
        )
      )
    }),
    remove: Effect.fnUntraced(function* ({ params: { name }, query: { tenant_id } }) {
      const actor = nameOf(yield* Caller)
      yield* orUnavailable(inTenantOf(tenant_id, (tenant) => Store.remove(tenant, name, actor)))
    })
  })
)
