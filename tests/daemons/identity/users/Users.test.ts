import { expect, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { type Management, managementSuite } from "../ManagementSuite.ts"

class Suite extends Context.Service<Suite, Management>()("test/Suite") {
  static readonly layer = Layer.effect(Suite, managementSuite())
}

const strong = "a long enough phrase"

layer(Suite.layer, { excludeTestServices: true })("users", (it) => {
  it.effect("users are created, shown, found, changed and deleted, with events and audit entries", () =>
    Effect.gen(function* () {
      const { as, audited, events, somebody, tenant } = yield* Suite
      const home = yield* tenant()
      const boss = yield* somebody(home, "admin")
      const made = yield* as(boss, "POST", "users", {
        email: " Dora@Example.ORG ",
        name: " Dora ",
        role: "customer",
        locale: "de"
      })
      expect(made).toMatchObject({
        status: 201,
        json: {
          tenant_id: home,
          email: "dora@example.org",
          name: "Dora",
          role: "customer",
          locale: "de",
          state: "active"
        }
      })
      const { id } = made.json
      expect(made.text).not.toContain("hash")
      expect((yield* as(boss, "GET", `users/${id}`)).json).toEqual(made.json)
      for (const found of ["q=DORA", "q=dora%40ex", "role=customer", `state=active&q=dor`]) {
        expect((yield* as(boss, "GET", `users?${found}`)).json.items, found).toEqual([made.json])
      }
      expect((yield* as(boss, "GET", "users?q=dor&state=suspended")).json).toEqual({ items: [], next_before: null })
      expect((yield* as(boss, "GET", "users?q=d_ra")).json.items).toEqual([])
      const changed = yield* as(boss, "PATCH", `users/${id}`, { name: "Dora M.", locale: "de" })
      expect(changed).toMatchObject({
        status: 200,
        json: { name: "Dora M.", role: "customer", email: "dora@example.org" }
      })
      expect((yield* as(boss, "DELETE", `users/${id}`)).status).toBe(204)
      expect((yield* as(boss, "GET", `users/${id}`)).status).toBe(404)

      const entity = {
        tenant_id: home,
        actor: `user:${boss.id}`,
        entity_type: "user",
        entity_id: String(id),
        address: "127.0.0.1"
      }
      expect(yield* audited("user.created")).toContainEqual({
        ...entity,
        detail: { role: "customer", password: false }
      })
      expect(yield* audited("user.changed")).toContainEqual({ ...entity, detail: { changed: ["name"] } })
      expect(yield* audited("user.deleted")).toContainEqual({
        ...entity,
        detail: { email: "dora@example.org", role: "customer" }
      })
      const state = {
        user_id: id,
        tenant_id: home,
        email: "dora@example.org",
        role: "customer",
        locale: "de",
        time_zone: null
      }
      expect(yield* events("identity.user.created")).toContainEqual({
        ...state,
        name: "Dora",
        state: "active",
        version: 1
      })
      expect(yield* events("identity.user.changed")).toContainEqual({
        ...state,
        name: "Dora M.",
        state: "active",
        version: 2
      })
      expect(yield* events("identity.user.deleted")).toContainEqual({
        ...state,
        name: "Dora M.",
        state: "deleted",
        version: 3
      })
    })
  )

  it.effect("the list is ordered newest first and has pages", () =>
    Effect.gen(function* () {
      const { as, somebody, tenant } = yield* Suite
      const home = yield* tenant()
      const boss = yield* somebody(home, "admin")
      const others = yield* Effect.forEach([1, 2, 3, 4], () => somebody(home, "user"))
      const seen: Array<number> = []
      let before = ""
      do {
        const { json } = yield* as(boss, "GET", `users?limit=2${before}`)
        expect(json.items.length).toBeLessThanOrEqual(2)
        seen.push(...json.items.map((item: { id: number }) => item.id))
        before = json.next_before === null ? "" : `&before=${json.next_before}`
      } while (before !== "")
      expect(seen).toEqual([boss, ...others].map(({ id }) => id).toReversed())
    })
  )

  it.effect("users sign in with the password of their creation, and later with the password that was set", () =>
    Effect.gen(function* () {
      const { as, audited, call, somebody, sql } = yield* Suite
      const boss = yield* somebody(1, "admin")
      const login = (password: string) =>
        Effect.map(
          call("POST", "/api/v1/auth/login", { body: { email: "erna@example.org", password } }),
          ({ status }) => status
        )
      const { json } = yield* as(boss, "POST", "users", {
        email: "erna@example.org",
        name: "Erna",
        role: "user",
        password: strong
      })
      expect(yield* login(strong)).toBe(200)
      const [session] = yield* sql<{
        id: string
      }>`select id::text as id from identity.session where account_id = ${json.id}`
      const link = yield* as(boss, "POST", `users/${json.id}/link`)
      expect((yield* as(boss, "POST", `users/${json.id}/password`, { password: "another long phrase" })).status).toBe(
        204
      )
      expect([yield* login(strong), yield* login("another long phrase")]).toEqual([401, 200])
      expect(
        yield* sql`select 1 from identity.session where id = ${session!.id}::uuid and ended_because = 'password_changed'`
      ).toHaveLength(1)
      const token = new URL(link.json.url).hash.slice(1)
      expect((yield* call("POST", "/api/v1/auth/link", { body: { token } })).status).toBe(401)
      expect(yield* audited("user.password_set")).toContainEqual(
        expect.objectContaining({ entity_id: String(json.id), detail: {} })
      )
      const everything =
        yield* sql`select 1 from core.audit where detail::text like ${`%${strong}%`} or detail::text like '%argon2%'
        union all select 1 from core.event where data::text like '%argon2%' or data::text like ${`%${strong}%`}`
      expect(everything).toEqual([])
    })
  )

  it.effect("a password that breaks a rule gets 422 with the field, without the password", () =>
    Effect.gen(function* () {
      const { as, somebody } = yield* Suite
      const boss = yield* somebody(1, "admin")
      const field = { errors: [{ field: "payload.password", message: expect.any(String) }] }
      for (const password of ["Passwort123", "short-one", `long${"x".repeat(2000)}`]) {
        const made = yield* as(boss, "POST", "users", { email: "never@example.org", name: "N", role: "user", password })
        expect(made).toMatchObject({ status: 422, json: field })
        expect(made.text).not.toContain(password)
        expect(yield* as(boss, "POST", `users/${boss.id + 0}/password`, { password })).toMatchObject({
          status: expect.toSatisfy((status) => status === 409 || status === 422)
        })
      }
      expect((yield* as(boss, "GET", "users?q=never")).json.items).toEqual([])
    })
  )

  it.effect("a link is an invitation for users without a password, else a reset", () =>
    Effect.gen(function* () {
      const { as, audited, call, somebody, base } = yield* Suite
      const boss = yield* somebody(1, "admin")
      const guest = yield* somebody(1, "user")
      const link = yield* as(boss, "POST", `users/${guest.id}/link`)
      expect(link).toMatchObject({
        status: 200,
        json: { purpose: "invitation", url: expect.stringContaining(`${base()}/api/v1/auth/welcome#`) }
      })
      expect(link.headers.get("cache-control")).toBe("no-store")
      const token = new URL(link.json.url).hash.slice(1)
      const tokens = yield* call("POST", "/api/v1/auth/link", { body: { token } })
      expect(tokens.status).toBe(200)
      expect(
        (yield* call("GET", "/api/v1/auth/me", { headers: { authorization: `Bearer ${tokens.json.access_token}` } }))
          .json
      ).toMatchObject({ id: guest.id })
      yield* as(boss, "POST", `users/${guest.id}/password`, { password: strong })
      expect((yield* as(boss, "POST", `users/${guest.id}/link`)).json).toMatchObject({ purpose: "reset" })
      expect(
        (yield* audited("user.link_made"))
          .filter(({ entity_id }) => entity_id === String(guest.id))
          .map(({ detail }) => detail)
      ).toEqual([{ purpose: "invitation" }, { purpose: "reset" }])
    })
  )

  it.effect("addresses are unique across all tenants", () =>
    Effect.gen(function* () {
      const { as, somebody, tenant } = yield* Suite
      const [boss, stranger] = [yield* somebody(yield* tenant(), "admin"), yield* somebody(yield* tenant(), "admin")]
      const clerk = yield* somebody(boss.tenant, "user")
      const create = (email: string) => as(boss, "POST", "users", { email, name: "X", role: "user" })
      const [own, foreign] = [yield* create(clerk.email), yield* create(stranger.email.toUpperCase())]
      expect(own).toMatchObject({ status: 409, json: { code: "email_taken" } })
      expect(foreign.json).toEqual(own.json)
      const change = yield* as(boss, "PATCH", `users/${clerk.id}`, { email: stranger.email })
      expect([change.status, change.json]).toEqual([409, own.json])
    })
  )

  it.effect("a repeated creation with the same Idempotency-Key gets the first answer", () =>
    Effect.gen(function* () {
      const { as, somebody, sql } = yield* Suite
      const boss = yield* somebody(1, "admin")
      const create = (body: object) =>
        as(boss, "POST", "users", { name: "Once", role: "user", ...body }, { "idempotency-key": "one" })
      const first = yield* create({ email: "once@example.org", password: strong })
      expect((yield* create({ email: "once@example.org", password: strong })).json).toEqual(first.json)
      expect((yield* create({ email: "twice@example.org" })).json).toMatchObject({ code: "idempotency_key_reused" })
      expect(
        yield* sql`select 1 from identity.account where email in ('once@example.org', 'twice@example.org')`
      ).toHaveLength(1)
    })
  )

  it.effect("unknown fields are refused", () =>
    Effect.gen(function* () {
      const { as, somebody } = yield* Suite
      const boss = yield* somebody(1, "admin")
      const clerk = yield* somebody(1, "user")
      for (const body of [{ state: "suspended" }, { password: strong }, { tenant_id: 2 }]) {
        expect(yield* as(boss, "PATCH", `users/${clerk.id}`, body)).toMatchObject({
          status: 422,
          json: { errors: [{ field: `payload.${Object.keys(body)[0]}` }] }
        })
      }
      for (const email of ["nobody", "a@b@c", "a\u0000@example.org", `${"x".repeat(600)}@example.org`]) {
        expect(yield* as(boss, "PATCH", `users/${clerk.id}`, { email }), email).toMatchObject({
          status: 422,
          json: { errors: [{ field: "payload.email" }] }
        })
      }
    })
  )

  it.effect("the roles are listed with their permissions", () =>
    Effect.gen(function* () {
      const { as, program, somebody } = yield* Suite
      const { json } = yield* as(yield* somebody(1, "customer"), "GET", "roles")
      expect(json.items.map((item: { role: string }) => item.role)).toEqual([
        "admin",
        "reseller",
        "customer",
        "user",
        "support"
      ])
      expect(json.items[3].permissions).toContain("webmail.use")
      expect((yield* as(yield* somebody(1, "user"), "GET", "roles")).status).toBe(403)
      expect((yield* as(yield* program("workflows.manage"), "GET", "roles")).status).toBe(403)
    })
  )
})
