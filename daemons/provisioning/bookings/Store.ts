/** Plan and bookings of tenants. Functions run in the surrounding transaction with its role. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { asPlatform } from "#core/sql/Sql.ts"
import { bookingReason, type BookingState, isBooked } from "./Booked.ts"
import { Catalog } from "../catalog/Exports.ts"

/** Plan of a tenant without a row. */
const defaultPlan = "default"

export interface Plan {
  readonly plan: string
  readonly base_domain: string | null
}

export const planOf = Effect.fnUntraced(function* (tenantId: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Plan>`select plan, base_domain from provisioning.tenant_plan where tenant_id = ${tenantId}`
  return row ?? { plan: defaultPlan, base_domain: null }
})

export const setPlan = (tenantId: number, { base_domain, plan }: Plan) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`insert into provisioning.tenant_plan (tenant_id, plan, base_domain)
      values (${tenantId}, ${plan}, ${base_domain})
      on conflict (tenant_id) do update set plan = excluded.plan, base_domain = excluded.base_domain,
        updated_at = now()`
  )

export interface Module {
  readonly slug: string
  readonly tier: string | null
  readonly status: BookingState
}

export interface Subscription {
  readonly id: number
  readonly status: BookingState
  readonly package: { readonly id: number; readonly slug: string; readonly name: string; readonly type: string }
}

export interface Addon {
  readonly slug: string
  readonly status: BookingState
  readonly quantity: number
}

const modulesOf = Effect.fnUntraced(function* (tenantId: number) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<Module>`select slug, tier, status from provisioning.tenant_module
    where tenant_id = ${tenantId} order by slug`
})

/**
 * Subscriptions of a tenant with their packages. Runs as the platform role, because packages belong to no tenant; the
 * condition on `tenant_id` therefore separates the tenants.
 */
const subscriptionsOf = Effect.fnUntraced(function* (tenantId: number, id?: number) {
  const sql = yield* SqlClient.SqlClient
  return yield* asPlatform(
    sql<Subscription>`select s.id, s.status,
        jsonb_build_object('id', p.id, 'slug', p.slug, 'name', p.name, 'type', p.type) as package
      from provisioning.subscription s join provisioning.package p on p.id = s.package_id
      where ${sql.and([sql`s.tenant_id = ${tenantId}`, ...(id === undefined ? [] : [sql`s.id = ${id}`])])}
      order by s.id`
  )
})

const addonsOf = Effect.fnUntraced(function* (tenantId: number) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<Addon>`select slug, status, quantity from provisioning.tenant_addon
    where tenant_id = ${tenantId} order by slug`
})

/** Modules, subscriptions and addons of a tenant. */
export const bookedOf = (tenantId: number) =>
  Effect.all({ modules: modulesOf(tenantId), subscriptions: subscriptionsOf(tenantId), addons: addonsOf(tenantId) })

/** Plan and bookings of a tenant, and each service of the catalog with whether it is booked. */
export const overview = Effect.fnUntraced(function* (tenantId: number) {
  const plan = yield* planOf(tenantId)
  const booked = yield* bookedOf(tenantId)
  const mappings = yield* Catalog.mappings
  const services = (yield* Catalog.services).map((service) => {
    const reason = bookingReason(service, mappings, booked)
    return { service, reason, booked: isBooked(reason) }
  })
  return { plan, booked, services }
})

export const setModule = (tenantId: number, slug: string, { status, tier }: Omit<Module, "slug">) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`insert into provisioning.tenant_module (tenant_id, slug, tier, status)
      values (${tenantId}, ${slug}, ${tier}, ${status})
      on conflict (tenant_id, slug) do update set tier = excluded.tier, status = excluded.status`
  )

export const moduleOf = (tenantId: number, slug: string) =>
  Effect.map(modulesOf(tenantId), (modules) => modules.find((one) => one.slug === slug))

/** Deletes a booked module; false when there is none. */
export const removeModule = Effect.fnUntraced(function* (tenantId: number, slug: string) {
  const sql = yield* SqlClient.SqlClient
  const gone =
    yield* sql`delete from provisioning.tenant_module where tenant_id = ${tenantId} and slug = ${slug} returning 1`
  return gone.length > 0
})

/** Subscribes the tenant to a package; undefined when the catalog has no such package. */
export const subscribe = Effect.fnUntraced(function* (tenantId: number, packageId: number, status: BookingState) {
  const sql = yield* SqlClient.SqlClient
  if (!(yield* Catalog.packages).some(({ id }) => id === packageId)) return undefined
  const [row] = yield* sql<{ id: number }>`insert into provisioning.subscription (tenant_id, package_id, status)
    values (${tenantId}, ${packageId}, ${status}) returning id`
  return (yield* subscriptionsOf(tenantId, row!.id))[0]
})

/** Changes the status of a subscription; undefined when there is none. */
export const setSubscription = Effect.fnUntraced(function* (tenantId: number, id: number, status: BookingState) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`update provisioning.subscription set status = ${status} where tenant_id = ${tenantId} and id = ${id}`
  return (yield* subscriptionsOf(tenantId, id))[0]
})

/** Deletes a subscription; false when there is none. */
export const unsubscribe = Effect.fnUntraced(function* (tenantId: number, id: number) {
  const sql = yield* SqlClient.SqlClient
  const gone =
    yield* sql`delete from provisioning.subscription where tenant_id = ${tenantId} and id = ${id} returning 1`
  return gone.length > 0
})

export const setAddon = (tenantId: number, slug: string, { quantity, status }: Omit<Addon, "slug">) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`insert into provisioning.tenant_addon (tenant_id, slug, status, quantity)
      values (${tenantId}, ${slug}, ${status}, ${quantity})
      on conflict (tenant_id, slug) do update set status = excluded.status, quantity = excluded.quantity`
  )

export const addonOf = (tenantId: number, slug: string) =>
  Effect.map(addonsOf(tenantId), (addons) => addons.find((one) => one.slug === slug))

/** Deletes a booked addon; false when there is none. */
export const removeAddon = Effect.fnUntraced(function* (tenantId: number, slug: string) {
  const sql = yield* SqlClient.SqlClient
  const gone =
    yield* sql`delete from provisioning.tenant_addon where tenant_id = ${tenantId} and slug = ${slug} returning 1`
  return gone.length > 0
})

/** Result of `overview`. */
export type Overview = Effect.Success<ReturnType<typeof overview>>
