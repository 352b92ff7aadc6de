import { expect, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { type Management, managementSuite } from "../ManagementSuite.ts"

class Suite extends Context.Service<Suite, Management>()("test/Suite") {
  static readonly layer = Layer.effect(Suite, managementSuite())
}

const never = 2_000_000_000

layer(Suite.layer, { excludeTestServices: true })("tenant scope", (it) => {
  it.effect("an admin gets the same answer for another tenant as for a tenant that does not exist", () =>
    Effect.gen(function* () {
      const { as, somebody, sql, tenant } = yield* Suite
      const boss = yield* somebody(yield* tenant(), "admin")
      const foreign = [yield* somebody(yield* tenant(), "user"), yield* somebody(1, "user")]
      const state = sql`select id, name, state, role, version from identity.account order by id`
      const before = yield* state
      const calls = [
        ["GET", "", undefined],
        ["PATCH", "", { name: "Mine", role: "customer" }],
        ["POST", "/suspend", undefined],
        ["POST", "/unsuspend", undefined],
        ["POST", "/password", { password: "a long enough phrase" }],
        ["POST", "/link", undefined],
        ["POST", "/sign-out", undefined],
        ["GET", "/sessions", undefined],
        ["DELETE", "/sessions/0198c0de-1234-7abc-8def-0123456789ab", undefined],
        ["DELETE", "", undefined]
      ] as const
      for (const { id, session, tenant } of foreign) {
        for (const [method, path, body] of calls) {
          const [theirs, none] = [
            yield* as(boss, method, `users/${id}${path}`, body),
            yield* as(boss, method, `users/${never}${path}`, body)
          ]
          expect([theirs.status, theirs.text], `${method} ${path}`).toEqual([404, none.text])
          const [named, nowhere] = [
            yield* as(boss, method, `users/${id}${path}?tenant_id=${tenant}`, body),
            yield* as(boss, method, `users/${id}${path}?tenant_id=${never}`, body)
          ]
          expect([named.status, named.text], `${method} ${path} in it`).toEqual([403, nowhere.text])
        }
        expect(yield* sql`select 1 from identity.session where id = ${session} and ended_at is null`).toHaveLength(1)
        expect(
          (yield* as(boss, "GET", `users?before=${id}`)).json.items.every(
            (item: { tenant_id: number }) => item.tenant_id === boss.tenant
          )
        ).toBe(true)
        expect(
          (yield* as(boss, "POST", "users", { email: "spy@example.org", name: "S", role: "user", tenant_id: tenant }))
            .status
        ).toBe(403)
      }
      expect((yield* as(boss, "GET", "users")).json.items.map((item: { id: number }) => item.id)).toEqual([boss.id])
      expect(yield* state).toEqual(before)
    })
  )

  it.effect("the provider's admin works in a named tenant, and the tenant's audit log records it", () =>
    Effect.gen(function* () {
      const { as, audited, somebody, tenant } = yield* Suite
      const chief = yield* somebody(1, "admin")
      const clerk = yield* somebody(yield* tenant(), "user")
      expect((yield* as(chief, "GET", `users/${clerk.id}`)).status).toBe(404)
      expect((yield* as(chief, "GET", `users/${clerk.id}?tenant_id=${clerk.tenant}`)).json).toMatchObject({
        id: clerk.id
      })
      expect((yield* as(chief, "GET", `users?tenant_id=${clerk.tenant}`)).json.items).toMatchObject([{ id: clerk.id }])
      expect((yield* as(chief, "GET", `users?tenant_id=${never}`)).json.items).toEqual([])
      const made = yield* as(
        chief,
        "POST",
        "users",
        { email: "far@example.org", name: "F", role: "admin", tenant_id: clerk.tenant },
        { "idempotency-key": "far" }
      )
      expect(made).toMatchObject({ status: 201, json: { tenant_id: clerk.tenant } })
      expect((yield* audited("user.created")).at(-1)).toMatchObject({
        tenant_id: clerk.tenant,
        actor: `user:${chief.id}`,
        entity_id: String(made.json.id)
      })
      expect(
        yield* as(chief, "POST", "users", { email: "far2@example.org", name: "F", role: "user", tenant_id: never })
      ).toMatchObject({ status: 422, json: { errors: [{ field: "payload.tenant_id" }] } })
      expect((yield* as(chief, "POST", `users/${clerk.id}/suspend?tenant_id=${clerk.tenant}`)).json).toMatchObject({
        state: "suspended"
      })
      // Other users of the provider do not have this right.
      const support = yield* somebody(1, "support")
      expect((yield* as(support, "GET", `users?tenant_id=${clerk.tenant}`)).status).toBe(403)
    })
  )

  it.effect("a service token with the permission reaches all tenants, or one named tenant", () =>
    Effect.gen(function* () {
      const { as, program, somebody, tenant } = yield* Suite
      const clerk = yield* somebody(yield* tenant(), "user")
      const [all, reading, other] = [
        yield* program("platform"),
        yield* program("users.read"),
        yield* program("mail.manage")
      ]
      for (const token of [all, reading]) {
        expect((yield* as(token, "GET", `users/${clerk.id}`)).status).toBe(200)
        expect((yield* as(token, "GET", `users?tenant_id=${clerk.tenant}`)).json.items).toMatchObject([
          { id: clerk.id }
        ])
        expect((yield* as(token, "GET", `users/${clerk.id}?tenant_id=1`)).status).toBe(404)
      }
      expect(
        (yield* as(all, "POST", "users", {
          email: "made@example.org",
          name: "M",
          role: "user",
          tenant_id: clerk.tenant
        })).json
      ).toMatchObject({ tenant_id: clerk.tenant })
      expect(
        (yield* as(all, "POST", "users", { email: "own@example.org", name: "M", role: "user" })).json
      ).toMatchObject({ tenant_id: 1 })
      expect((yield* as(reading, "POST", `users/${clerk.id}/suspend`)).status).toBe(403)
      expect((yield* as(other, "GET", "users")).status).toBe(403)
      expect((yield* as(yield* somebody(1, "user"), "GET", "users")).status).toBe(403)
      expect((yield* as(yield* somebody(1, "customer"), "POST", `users/${clerk.id}/suspend`)).json).toMatchObject({
        permission: "users.manage"
      })
    })
  )
})
