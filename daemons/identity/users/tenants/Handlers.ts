import { Effect } from "effect"
import * as Handlers from "#core/http/Handlers.ts"
import { Caller, inScope } from "#core/auth/Caller.ts"
import { Standing } from "#core/auth/Standing.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { orUnavailable } from "#core/http/Problem.ts"
import { asPlatform, transaction } from "#core/sql/Sql.ts"
import { UsersApi } from "../Api.ts"
import { defaultPage, paged } from "#core/http/Paging.ts"
import { TenantView } from "./Api.ts"
import * as TenantChanges from "./TenantChanges.ts"
import * as Tenants from "./Store.ts"
import { seesAllTenants } from "#core/auth/NamedTenant.ts"
import { actor } from "../AuditActor.ts"
import { providerOnly } from "../TenantScope.ts"

/** API representation of a tenant. */
const view = ({ created_at, id, name, state, updated_at }: Tenants.Tenant): typeof TenantView.Type => ({
  id,
  name,
  state,
  created_at: created_at.toISOString(),
  updated_at: updated_at.toISOString()
})

export const tenants = Handlers.group(
  UsersApi,
  "tenants",
  Effect.fn(function* (handlers) {
    const standing = yield* Standing

    const inVisibleScope = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      orUnavailable(
        Effect.flatMap(Caller, (caller) => (seesAllTenants(caller) ? transaction(effect) : inScope(effect)))
      )

    /** Runs a change as the provider; ended sessions are then refused at once in this process. */
    const change = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      Effect.andThen(providerOnly, orUnavailable(Effect.tap(transaction(effect), Effect.ignore(standing.refresh))))

    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query: { before, limit = defaultPage } }) {
        return paged((yield* inVisibleScope(Tenants.list(limit + 1, before))).map(view), limit)
      }),
      show: Effect.fnUntraced(function* ({ params }) {
        const found = yield* inVisibleScope(Tenants.get(params.id))
        return found === undefined ? yield* TenantChanges.noSuchTenant : view(found)
      }),
      create: Effect.fnUntraced(function* ({ headers, payload }) {
        yield* providerOnly
        const by = yield* actor
        return yield* orUnavailable(
          Idempotency.once({
            key: headers["idempotency-key"],
            endpoint: "tenants.create",
            body: payload,
            response: TenantView,
            create: asPlatform(Effect.map(TenantChanges.create(by, payload.name.trim()), view))
          })
        )
      }),
      rename: Effect.fnUntraced(function* ({ params, payload }) {
        return view(yield* change(TenantChanges.rename(yield* actor, params.id, payload.name.trim())))
      }),
      suspend: Effect.fnUntraced(function* ({ params }) {
        return view(yield* change(TenantChanges.suspend(yield* actor, params.id)))
      }),
      unsuspend: Effect.fnUntraced(function* ({ params }) {
        return view(yield* change(TenantChanges.unsuspend(yield* actor, params.id)))
      })
    })
  })
)
