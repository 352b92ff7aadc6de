import { Effect } from "effect"
import { inTenantOf } from "#core/auth/NamedTenant.ts"
import * as Handlers from "#core/http/Handlers.ts"
import { NotFound, orUnavailable } from "#core/http/Problem.ts"
import { note } from "../vocabulary/Exports.ts"
import { BookingsApi } from "./Api.ts"
import { NoSuchPackage } from "./Errors.ts"
import * as Store from "./Store.ts"

const shown = (tenantId: number) =>
  Effect.map(Store.overview(tenantId), ({ booked, plan, services }) => ({
    tenant_id: tenantId,
    ...plan,
    ...booked,
    services: services.map(({ booked, reason, service: { slug } }) => ({ slug, booked, reason }))
  }))

const missing = (what: string) => new NotFound({ detail: `The tenant has no such ${what}.` })

export const bookings = Handlers.group(BookingsApi, "provisioningBookings", (handlers) =>
  handlers.handleAll({
    show: ({ query: { tenant_id } }) => orUnavailable(inTenantOf(tenant_id, shown)),
    setPlan: ({ payload, query: { tenant_id } }) =>
      orUnavailable(
        inTenantOf(
          tenant_id,
          Effect.fnUntraced(function* (tenant) {
            const to = { ...(yield* Store.planOf(tenant)), ...payload }
            yield* Store.setPlan(tenant, to)
            yield* note(tenant, "provisioning_plan", String(tenant), "changed", to)
            return yield* shown(tenant)
          })
        )
      ),
    setModule: ({ params: { slug }, payload, query: { tenant_id } }) =>
      orUnavailable(
        inTenantOf(
          tenant_id,
          Effect.fnUntraced(function* (tenant) {
            const before = yield* Store.moduleOf(tenant, slug)
            const to = { slug, tier: null, status: "active" as const, ...before, ...payload }
            yield* Store.setModule(tenant, slug, to)
            yield* note(tenant, "provisioning_module", slug, before === undefined ? "booked" : "changed", to)
            return to
          })
        )
      ),
    removeModule: ({ params: { slug }, query: { tenant_id } }) =>
      orUnavailable(
        inTenantOf(
          tenant_id,
          Effect.fnUntraced(function* (tenant) {
            if (!(yield* Store.removeModule(tenant, slug))) return yield* missing("module")
            yield* note(tenant, "provisioning_module", slug, "deleted")
          })
        )
      ),
    subscribe: ({ payload: { package_id, status = "active" }, query: { tenant_id } }) =>
      orUnavailable(
        inTenantOf(
          tenant_id,
          Effect.fnUntraced(function* (tenant) {
            const made = yield* Store.subscribe(tenant, package_id, status)
            if (made === undefined) return yield* new NoSuchPackage({ detail: "The catalog has no such package." })
            yield* note(tenant, "provisioning_subscription", String(made.id), "created", { package_id, status })
            return made
          })
        )
      ),
    setSubscription: ({ params: { id }, payload: { status }, query: { tenant_id } }) =>
      orUnavailable(
        inTenantOf(
          tenant_id,
          Effect.fnUntraced(function* (tenant) {
            const changed = yield* Store.setSubscription(tenant, id, status)
            if (changed === undefined) return yield* missing("subscription")
            yield* note(tenant, "provisioning_subscription", String(id), "changed", { status })
            return changed
          })
        )
      ),
    unsubscribe: ({ params: { id }, query: { tenant_id } }) =>
      orUnavailable(
        inTenantOf(
          tenant_id,
          Effect.fnUntraced(function* (tenant) {
            if (!(yield* Store.unsubscribe(tenant, id))) return yield* missing("subscription")
            yield* note(tenant, "provisioning_subscription", String(id), "deleted")
          })
        )
      ),
    setAddon: ({ params: { slug }, payload, query: { tenant_id } }) =>
      orUnavailable(
        inTenantOf(
          tenant_id,
          Effect.fnUntraced(function* (tenant) {
            const before = yield* Store.addonOf(tenant, slug)
            const to = { slug, status: "active" as const, quantity: 1, ...before, ...payload }
            yield* Store.setAddon(tenant, slug, to)
            yield* note(tenant, "provisioning_addon", slug, before === undefined ? "booked" : "changed", to)
            return to
          })
        )
      ),
    removeAddon: ({ params: { slug }, query: { tenant_id } }) =>
      orUnavailable(
        inTenantOf(
          tenant_id,
          Effect.fnUntraced(function* (tenant) {
            if (!(yield* Store.removeAddon(tenant, slug))) return yield* missing("addon")
            yield* note(tenant, "provisioning_addon", slug, "deleted")
          })
        )
      )
  })
)
