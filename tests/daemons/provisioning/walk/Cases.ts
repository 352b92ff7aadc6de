/** Walk cases of all operations of provisioning. */
import { Effect, Redacted } from "effect"
import { randomUUID } from "node:crypto"
import { newToken } from "#daemons/provisioning/tokens/Token.ts"
import { firstOf } from "#support/FakeUsers.ts"
import type { TestSuite } from "#support/TestSuite.ts"
import { type Cases, type Ids, list, open, own, platformOnly, thing, type Who } from "#support/walk/Case.ts"

const base = "/api/v1/provisioning"
const nobody = 2_000_000_000
const theCatalog = "the catalog is the same for all tenants, and the provider's"
const theBookings = "only the provider changes bookings"

/** A user of the tenant who is known to provisioning. */
export const knownUser = ({ sql }: TestSuite, tenant: number, id: number, mark: string) =>
  sql`insert into provisioning.known_user (user_id, tenant_id, email, name, role, locale, state, version)
    values (${id}, ${tenant}, ${`${mark}-${id}@example.org`}, ${mark}, 'user', 'en', 'active', 1)
    on conflict do nothing`

export const cases = (suite: TestSuite): Cases => {
  const { sql } = suite
  let count = 0
  const next = () => ++count
  const slug = (as: Who) => `${as.mark.toLowerCase()}-${next()}`

  const user = (as: Who) => {
    const id = 600_000 + next()
    return Effect.as(knownUser(suite, as.tenant, id, as.mark), { user: id })
  }
  const token = Effect.fnUntraced(function* (as: Who) {
    const { hash, prefix, token } = newToken()
    const [row] = yield* sql<{ id: number }>`insert into provisioning.client_token
        (tenant_id, user_id, prefix, hash, label, created_by, expires_at)
      values (${as.tenant}, ${firstOf(as.tenant)}, ${prefix}, ${hash}, ${as.mark}, ${as.mark}, now() + interval '1 day')
      returning id`
    return { id: row!.id, token: Redacted.value(token) }
  })
  const tokenId = (as: Who) => Effect.map(token(as), ({ id }) => ({ id }))
  const device = Effect.fnUntraced(function* (as: Who) {
    const id = randomUUID()
    yield* sql`insert into provisioning.device
        (id, tenant_id, user_id, name, features, client_ip, user_agent, session, mailbox, extension_id)
      values (${id}::uuid, ${as.tenant}, ${firstOf(as.tenant)}, ${as.mark}, '{}', '192.0.2.1', ${as.mark}, ${as.mark},
        ${as.mark}, 17)`
    return { id }
  })
  const service = Effect.fnUntraced(function* (as: Who) {
    const made = slug(as)
    yield* sql`insert into provisioning.service
      (slug, name_i18n, description_i18n, icon, config_template, feature_slug, is_base, position)
      values (${made}, '{"en": "x"}', '{"en": "x"}', 'x', '{}', 'x', false, 100)`
    return { slug: made }
  })
  const package_ = Effect.fnUntraced(function* (as: Who) {
    const [row] = yield* sql<{ id: number }>`insert into provisioning.package (slug, name, type)
      values (${slug(as)}, 'x', 'office') returning id`
    return { id: row!.id }
  })
  const mapping = Effect.fnUntraced(function* (as: Who) {
    const [row] = yield* sql<{ id: number }>`insert into provisioning.mapping (service, module_slug)
      values ('email', ${slug(as)}) returning id`
    return { id: row!.id }
  })
  const module = Effect.fnUntraced(function* (as: Who) {
    const made = slug(as)
    yield* sql`insert into provisioning.tenant_module (tenant_id, slug, status) values (${as.tenant}, ${made}, 'active')`
    return { slug: made }
  })
  const addon = Effect.fnUntraced(function* (as: Who) {
    const made = slug(as)
    yield* sql`insert into provisioning.tenant_addon (tenant_id, slug, status) values (${as.tenant}, ${made}, 'active')`
    return { slug: made }
  })
  const subscription = Effect.fnUntraced(function* (as: Who) {
    const { id } = yield* package_(as)
    const [row] = yield* sql<{ id: number }>`insert into provisioning.subscription (tenant_id, package_id, status)
      values (${as.tenant}, ${id}, 'active') returning id`
    return { id: row!.id }
  })

  /** Adds the tenant to the ids of a seed, for operations in which the platform must name a tenant. */
  const inTenant =
    <I extends Ids, E>(seed: (as: Who) => Effect.Effect<I, E>) =>
    (as: Who) =>
      Effect.map(seed(as), (ids): any => ({ ...ids, tenant: as.tenant }))

  const serviceFields = {
    name_i18n: { en: "Wiki" },
    description_i18n: { en: "Pages" },
    icon: "book",
    config_template: { protocol: "HTTPS", url_template: "https://{base_url}/" },
    feature_slug: "wiki",
    is_base: false,
    position: 5
  }

  return {
    [`GET ${base}/services`]: own(theCatalog, { success: 200 }),
    [`POST ${base}/services`]: platformOnly(theCatalog, {
      success: 201,
      request: (_, as) => ({ body: { slug: slug(as), ...serviceFields } })
    }),
    [`PUT ${base}/services/{slug}`]: platformOnly(theCatalog, {
      seed: service,
      never: { slug: "never-was" },
      request: ({ slug }) => ({ path: { slug: slug! }, body: serviceFields }),
      success: 200
    }),
    [`DELETE ${base}/services/{slug}`]: platformOnly(theCatalog, {
      seed: service,
      never: { slug: "never-was" },
      request: ({ slug }) => ({ path: { slug: slug! } }),
      success: 204
    }),
    [`GET ${base}/packages`]: own(theCatalog, { success: 200 }),
    [`POST ${base}/packages`]: platformOnly(theCatalog, {
      success: 201,
      request: (_, as) => ({ body: { slug: slug(as), name: "Office", type: "office" } })
    }),
    [`DELETE ${base}/packages/{id}`]: platformOnly(theCatalog, {
      seed: package_,
      never: { id: nobody },
      request: ({ id }) => ({ path: { id: id! } }),
      success: 204
    }),
    [`GET ${base}/mappings`]: own(theCatalog, { success: 200 }),
    [`POST ${base}/mappings`]: platformOnly(theCatalog, {
      seed: package_,
      never: { id: nobody },
      success: 201,
      request: ({ id }, as) => ({
        body: { service: "email", module_slug: slug(as), package_type: "office", package_id: id! }
      })
    }),
    [`DELETE ${base}/mappings/{id}`]: platformOnly(theCatalog, {
      seed: mapping,
      never: { id: nobody },
      request: ({ id }) => ({ path: { id: id! } }),
      success: 204
    }),

    [`GET ${base}/bookings`]: own("only the caller's tenant, or the one that the provider names", {
      success: 200,
      wrong: ({ json }, _, as) => (json.tenant_id === as.tenant ? undefined : "another tenant's")
    }),
    [`PUT ${base}/plan`]: platformOnly(theBookings, {
      success: 200,
      request: () => ({ body: { plan: "gold", base_domain: "cloud.example.org" } })
    }),
    [`PUT ${base}/modules/{slug}`]: platformOnly(theBookings, {
      seed: inTenant(module),
      never: { slug: "never-was", tenant: nobody },
      freeText: ["path.slug"],
      request: ({ slug, tenant }) => ({
        path: { slug: slug! },
        query: { tenant_id: tenant! },
        body: { tier: "pro", status: "active" }
      }),
      success: 200
    }),
    [`DELETE ${base}/modules/{slug}`]: platformOnly(theBookings, {
      seed: inTenant(module),
      never: { slug: "never-was", tenant: nobody },
      freeText: ["path.slug"],
      request: ({ slug, tenant }) => ({ path: { slug: slug! }, query: { tenant_id: tenant! } }),
      success: 204
    }),
    [`POST ${base}/subscriptions`]: platformOnly(theBookings, {
      seed: package_,
      never: { id: nobody },
      request: ({ id }) => ({ body: { package_id: id!, status: "active" } }),
      success: 201
    }),
    [`PUT ${base}/subscriptions/{id}`]: platformOnly(theBookings, {
      seed: inTenant(subscription),
      never: { id: nobody, tenant: nobody },
      request: ({ id, tenant }) => ({ path: { id: id! }, query: { tenant_id: tenant! }, body: { status: "active" } }),
      success: 200
    }),
    [`DELETE ${base}/subscriptions/{id}`]: platformOnly(theBookings, {
      seed: inTenant(subscription),
      never: { id: nobody, tenant: nobody },
      request: ({ id, tenant }) => ({ path: { id: id! }, query: { tenant_id: tenant! } }),
      success: 204
    }),
    [`PUT ${base}/addons/{slug}`]: platformOnly(theBookings, {
      seed: inTenant(addon),
      never: { slug: "never-was", tenant: nobody },
      freeText: ["path.slug"],
      request: ({ slug, tenant }) => ({
        path: { slug: slug! },
        query: { tenant_id: tenant! },
        body: { status: "active", quantity: 2 }
      }),
      success: 200
    }),
    [`DELETE ${base}/addons/{slug}`]: platformOnly(theBookings, {
      seed: inTenant(addon),
      never: { slug: "never-was", tenant: nobody },
      freeText: ["path.slug"],
      request: ({ slug, tenant }) => ({ path: { slug: slug! }, query: { tenant_id: tenant! } }),
      success: 204
    }),

    [`POST ${base}/client-tokens`]: thing({
      seed: user,
      never: { user: nobody },
      request: ({ user }, as) => ({ body: { user_id: user, label: as.mark } }),
      success: 201
    }),
    [`GET ${base}/client-tokens`]: list<any>({
      seed: (as) => Effect.map(tokenId(as), ({ id }) => ({ id, user: firstOf(as.tenant), tenant: as.tenant })),
      never: { id: nobody, user: nobody, tenant: nobody },
      request: () => ({ query: { limit: 200 } }),
      success: 200,
      shows: ({ json }) => json.items.map((one: any) => one.id),
      by: "id",
      naming: ({ id, tenant, user }) => [{ before: id }, { tenant_id: tenant }, { user_id: user }]
    }),
    [`DELETE ${base}/client-tokens/{id}`]: thing({
      seed: tokenId,
      never: { id: nobody },
      request: ({ id }) => ({ path: { id } }),
      success: 204
    }),

    [`GET ${base}/devices`]: list<any>({
      seed: (as) => Effect.map(device(as), ({ id }) => ({ id, user: firstOf(as.tenant), tenant: as.tenant })),
      never: { id: "00000000-0000-4000-8000-00000000dead", user: nobody, tenant: nobody },
      request: () => ({}),
      success: 200,
      shows: ({ json }) => json.items.map((one: any) => one.id),
      by: "id",
      naming: ({ tenant, user }) => [{ tenant_id: tenant }, { user_id: user }]
    }),
    [`GET ${base}/devices/{id}`]: thing({
      seed: device,
      never: { id: "00000000-0000-4000-8000-00000000dead" },
      request: ({ id }) => ({ path: { id } }),
      success: 200
    }),
    [`DELETE ${base}/devices/{id}`]: thing({
      seed: device,
      never: { id: "00000000-0000-4000-8000-00000000dead" },
      request: ({ id }) => ({ path: { id } }),
      success: 200
    }),

    [`GET ${base}/my-services`]: own("only the caller", {
      success: 200,
      wrong: ({ json }, _, as) => (json.user.id === firstOf(as.tenant) ? undefined : "another's")
    }),
    "GET /provision/{token}": open("the token is the credential", {
      seed: (as) => Effect.map(token(as), ({ token }) => ({ token })),
      never: { token: `sbp_00000000_${"A".repeat(64)}` },
      request: ({ token }) => ({ path: { token: token! } }),
      success: 200,
      freeText: ["query.lang", "query.device"]
    }),
    "POST /provision/{token}": open("the token is the credential", {
      seed: (as) => Effect.map(token(as), ({ token }) => ({ token })),
      never: { token: `sbp_00000000_${"A".repeat(64)}` },
      request: ({ token }) => ({ path: { token: token! } }),
      success: 200,
      freeText: ["query.lang", "query.device"]
    })
  }
}
