/** Walk cases of users, tenants, service tokens, the audit log and preferences. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as Store from "#core/auth/ServiceTokenStore.ts"
import {
  type Cases,
  type Ids,
  list,
  open,
  own,
  platformOnly,
  type Request,
  thing,
  type Who
} from "#support/walk/Case.ts"
import type { TestSuite } from "#support/TestSuite.ts"
import type { People } from "./People.ts"

/** Id that no row has. */
const never = 2_000_000_000

const shows = ({ json }: { readonly json: any }) => json.items.map((item: { readonly id: number }) => item.id)
const isThat = ({ json }: { readonly json: any }, { id }: { readonly id: number }) =>
  json.id === id ? undefined : `not ${id}`
const provider = "concerns every tenant, so it is no single tenant's business"

export const userCases = (people: People): Cases => {
  let count = 0
  const fresh = (as: Who) => `${as.mark}-made-${count++}@walk.test`
  const seed = (as: Who) => Effect.map(people.account(as, "user"), ({ id }) => ({ id }))
  const user = (success: number, body?: (as: Who) => object) =>
    thing({
      seed,
      never: { id: never },
      request: ({ id }, as): Request => ({ path: { id }, ...(body === undefined ? {} : { body: body(as) }) }),
      success
    })
  return {
    "GET /api/v1/users": list({
      seed: (as) => Effect.map(people.account(as, "user"), ({ email, id }) => ({ id, email, tenant: as.tenant })),
      never: { id: never, email: "nobody@walk.test", tenant: never },
      request: () => ({ query: { limit: 200 } }),
      success: 200,
      shows,
      by: "id",
      naming: ({ email, id, tenant }) => [
        { before: id },
        { q: email },
        { tenant_id: tenant },
        { tenant_id: tenant, q: email }
      ],
      freeText: ["query.q"]
    }),
    "POST /api/v1/users": thing({
      seed: (as) => Effect.succeed({ tenant: as.tenant }),
      never: { tenant: never },
      request: ({ tenant }, as) => ({
        body: {
          email: fresh(as),
          name: as.mark,
          role: "user",
          locale: "en",
          password: `${as.mark} is long`,
          tenant_id: tenant
        }
      }),
      success: 201,
      made: ({ json }) => json.id
    }),
    "GET /api/v1/users/{id}": { ...user(200), wrong: isThat },
    "PATCH /api/v1/users/{id}": user(200, (as) => ({
      email: fresh(as),
      name: as.mark,
      role: "customer",
      locale: "de"
    })),
    "DELETE /api/v1/users/{id}": user(204),
    "POST /api/v1/users/{id}/suspend": user(200),
    "POST /api/v1/users/{id}/unsuspend": user(200),
    "POST /api/v1/users/{id}/password": user(204, (as) => ({ password: `${as.mark} is long` })),
    "POST /api/v1/users/{id}/link": user(200),
    "POST /api/v1/users/{id}/sign-out": user(200),
    "GET /api/v1/users/{id}/sessions": user(200),
    "DELETE /api/v1/users/{id}/sessions/{session}": thing({
      seed: (as) => Effect.map(people.person(as, "user"), ({ id, session }) => ({ id, session })),
      never: { id: never, session: "0198c0de-1234-7abc-8def-0123456789ab" },
      request: ({ id, session }) => ({ path: { id, session } }),
      success: 204
    }),
    "GET /api/v1/roles": own("the same for everybody", { success: 200 })
  }
}

export const tenantCases = (people: People, { sql }: TestSuite): Cases => {
  let count = 0
  const name = () => ({ name: `made ${count++}` })
  const made = () => Effect.map(people.tenant(name().name), (id) => ({ id }))
  const tenant = (body?: () => object) =>
    platformOnly(provider, {
      seed: made,
      never: { id: never },
      request: ({ id }): Request => ({ path: { id }, ...(body === undefined ? {} : { body: body() }) }),
      success: 200,
      wrong: isThat
    })
  const token = Store.create({ name: "made", scopes: ["audit.read"] }).pipe(
    Effect.map(({ id }) => ({ id })),
    Effect.provideService(SqlClient.SqlClient, sql)
  )
  const serviceToken = (success: number) =>
    platformOnly(provider, {
      seed: () => token,
      never: { id: never },
      request: ({ id }) => ({ path: { id } }),
      success
    })
  return {
    "GET /api/v1/tenants": list({
      seed: (as) => Effect.succeed({ id: as.tenant }),
      never: { id: never },
      request: () => ({}),
      success: 200,
      shows,
      by: "id",
      // Each caller sees one item, so a foreign cursor would give an empty or full page by its number alone.
      naming: () => []
    }),
    "GET /api/v1/tenants/{id}": thing({
      seed: (as) => Effect.succeed({ id: as.tenant }),
      never: { id: never },
      request: ({ id }) => ({ path: { id } }),
      success: 200,
      wrong: isThat
    }),
    "POST /api/v1/tenants": platformOnly(provider, { request: () => ({ body: name() }), success: 201 }),
    "PATCH /api/v1/tenants/{id}": tenant(name),
    "POST /api/v1/tenants/{id}/suspend": tenant(),
    "POST /api/v1/tenants/{id}/unsuspend": tenant(),
    "GET /api/v1/service-tokens": platformOnly(provider, { success: 200 }),
    "POST /api/v1/service-tokens": platformOnly(provider, {
      request: () => ({ body: { ...name(), scopes: ["audit.read"], expires_in: 60 } }),
      success: 201
    }),
    "GET /api/v1/service-tokens/{id}": serviceToken(200),
    "DELETE /api/v1/service-tokens/{id}": serviceToken(204),
    "GET /api/v1/settings/platform": platformOnly(provider, { success: 200 }),
    "PUT /api/v1/settings/platform/{name}": platformOnly(provider, {
      seed: () => Effect.succeed({ name: "SIGNALBOX_PUBLIC_URL" }),
      never: { name: "SIGNALBOX_NOTHING" },
      // Removing a value that is not stored changes nothing, so other cases are not disturbed.
      request: ({ name }) => ({ path: { name }, body: { value: null } }),
      success: 200
    }),
    "POST /api/v1/settings/platform/tests/{group}": platformOnly(provider, {
      seed: () => Effect.succeed({ group: "messenger" }),
      never: { group: "nothing" },
      // Without values there is nothing to try, so nothing outside is asked.
      request: ({ group }) => ({ path: { group }, body: {} }),
      success: 200
    }),
    "GET /api/v1/branding": open("pages show it before anybody signs in", { success: 200 }),
    "GET /api/v1/settings/setup": platformOnly(provider, { success: 200 }),
    "PUT /api/v1/settings/setup/{name}": platformOnly(provider, {
      seed: () => Effect.succeed({ name: "test-alarm" }),
      never: { name: "nothing" },
      request: ({ name }) => ({ path: { name }, body: { skipped: false } }),
      success: 200
    })
  }
}

export const ownCases = ({ sql, call }: TestSuite): Cases => {
  let count = 0
  /** Different preferences per caller, so that a mix-up is detected. */
  const chosen = (as: Who) =>
    as.name === "B"
      ? { mail_handler: "internal", call_handler: "system" }
      : { mail_handler: "system", call_handler: "internal" }
  const isChosen = ({ json }: { readonly json: any }, _: unknown, as: Who) =>
    json.mail_handler === chosen(as).mail_handler ? undefined : "another's choice"
  const path = "/api/v1/settings/preferences"
  return {
    "GET /api/v1/audit": list({
      seed: Effect.fnUntraced(function* (as) {
        const [actor, thing] = [`user:${as.mark}`, `${as.mark}-${count++}`]
        const [row] = yield* sql<{
          id: number
        }>`insert into core.audit (tenant_id, actor, action, entity_type, entity_id)
          values (${as.tenant}, ${actor}, ${`${as.mark}.walked`}, ${as.mark}, ${thing}) returning id::int as id`
        return { id: row!.id, actor, action: `${as.mark}.walked`, type: as.mark, thing, tenant: as.tenant }
      }),
      never: {
        id: Number.MAX_SAFE_INTEGER,
        actor: "user:none",
        action: "none.walked",
        type: "none",
        thing: "none",
        tenant: never
      } as Ids,
      request: () => ({ query: { limit: 200 } }),
      success: 200,
      shows,
      by: "id",
      naming: ({ action, actor, id, tenant, thing, type }) =>
        [
          { before: id },
          { actor },
          { action },
          { entity_type: type },
          { entity_id: thing },
          { tenant_id: tenant }
        ] as ReadonlyArray<NonNullable<Request["query"]>>,
      freeText: ["query.actor", "query.action", "query.entity_type", "query.entity_id"]
    }),
    [`GET ${path}`]: own("the caller's own choice", {
      personal: true,
      seed: (as) => Effect.as(call("PUT", path, { headers: as.headers, body: chosen(as) }), {}),
      success: 200,
      wrong: isChosen
    }),
    [`PUT ${path}`]: own("the caller's own choice", {
      request: (_, as) => ({ body: chosen(as) }),
      success: 200,
      wrong: isChosen
    })
  }
}
