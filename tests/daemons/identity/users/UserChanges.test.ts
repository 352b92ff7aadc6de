import { expect, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import type { Role } from "#core/auth/Roles.ts"
import { type Management, managementSuite, type Somebody } from "../ManagementSuite.ts"

class Suite extends Context.Service<Suite, Management>()("test/Suite") {
  static readonly layer = Layer.effect(Suite, managementSuite())
}

/** All operations that change a user. */
const changes = (id: number) =>
  [
    ["PATCH", `users/${id}`, { name: "Other" }],
    ["POST", `users/${id}/suspend`, undefined],
    ["POST", `users/${id}/unsuspend`, undefined],
    ["POST", `users/${id}/password`, { password: "a long enough phrase" }],
    ["POST", `users/${id}/link`, undefined],
    ["POST", `users/${id}/sign-out`, undefined],
    ["DELETE", `users/${id}`, undefined]
  ] as const

layer(Suite.layer, { excludeTestServices: true })("changes of users", (it) => {
  it.effect("a role with more permissions than the caller's is refused", () =>
    Effect.gen(function* () {
      const { as, program, somebody, tenant } = yield* Suite
      const home = yield* tenant()
      const reseller = yield* somebody(home, "reseller")
      const clerk = yield* somebody(home, "user")
      const limited = yield* program("users.manage", "webmail.use")
      let made = 0
      const gives = (who: Somebody | { token: string }, role: Role) =>
        Effect.gen(function* () {
          const create = yield* as(who, "POST", "users", {
            email: `given${++made}-${home}@example.org`,
            name: "G",
            role
          })
          const update = "id" in who ? yield* as(who, "PATCH", `users/${clerk.id}`, { role }) : create
          return [create.status, update.status, create.json.code]
        })
      for (const role of ["admin", "support"] as const)
        expect(yield* gives(reseller, role), role).toEqual([403, 403, "role_exceeds_own"])
      for (const role of ["reseller", "customer", "user"] as const)
        expect(yield* gives(reseller, role), role).toEqual([201, 200, undefined])
      for (const role of ["admin", "user"] as const) expect((yield* gives(limited, role))[0], role).toBe(403)
      expect((yield* gives(yield* program("platform"), "admin"))[0]).toBe(201)
    })
  )

  it.effect("changes of a user with more permissions than the caller are refused", () =>
    Effect.gen(function* () {
      const { as, somebody, sql, tenant } = yield* Suite
      const home = yield* tenant()
      const reseller = yield* somebody(home, "reseller")
      for (const role of ["admin", "support"] as const) {
        const better = yield* somebody(home, role)
        for (const [method, path, body] of changes(better.id)) {
          expect(yield* as(reseller, method, path, body), `${method} ${path}`).toMatchObject({
            status: 403,
            json: { code: "role_exceeds_own" }
          })
        }
        expect(
          yield* sql`select 1 from identity.session where account_id = ${better.id} and ended_at is null`
        ).toHaveLength(1)
        expect(
          yield* sql`select 1 from core.audit where entity_type = 'user' and entity_id = ${String(better.id)}`
        ).toEqual([])
      }
    })
  )

  it.effect("a user cannot suspend, delete, demote or create a sign-in link for the own account", () =>
    Effect.gen(function* () {
      const { as, somebody, tenant } = yield* Suite
      const boss = yield* somebody(yield* tenant(), "admin")
      yield* somebody(boss.tenant, "admin")
      const tries = [
        ["PATCH", `users/${boss.id}`, { role: "user" }],
        ["POST", `users/${boss.id}/suspend`, undefined],
        ["POST", `users/${boss.id}/password`, { password: "a long enough phrase" }],
        ["POST", `users/${boss.id}/link`, undefined],
        ["DELETE", `users/${boss.id}`, undefined]
      ] as const
      for (const [method, path, body] of tries) {
        expect(yield* as(boss, method, path, body), `${method} ${path}`).toMatchObject({
          status: 409,
          json: { code: "own_account" }
        })
      }
      expect((yield* as(boss, "PATCH", `users/${boss.id}`, { role: "admin", name: "Boss" })).status).toBe(200)
    })
  )

  it.effect("the provider's last active admin cannot be removed; the last admin of another tenant can", () =>
    Effect.gen(function* () {
      const { as, program, somebody, sql, tenant } = yield* Suite
      const platform = yield* program("platform")
      const ways = (id: number) =>
        [
          ["PATCH", `users/${id}`, { role: "user" }],
          ["POST", `users/${id}/suspend`, undefined],
          ["DELETE", `users/${id}`, undefined]
        ] as const
      const first = yield* somebody(1, "admin")
      const second = yield* somebody(1, "admin")
      yield* sql`update identity.account set state = 'suspended' where tenant_id = 1 and role = 'admin' and id not in (${first.id}, ${second.id})`
      expect((yield* as(platform, "POST", `users/${second.id}/suspend`)).status).toBe(200)
      for (const [method, path, body] of ways(first.id)) {
        expect(yield* as(platform, method, path, body), `${method} ${path}`).toMatchObject({
          status: 409,
          json: { code: "last_admin" }
        })
      }
      // Suspended users do not count.
      expect((yield* as(platform, "DELETE", `users/${second.id}`)).status).toBe(204)
      const elsewhere = yield* somebody(yield* tenant(), "admin")
      expect((yield* as(platform, "DELETE", `users/${elsewhere.id}`)).status).toBe(204)
    })
  )

  it.effect("two admins who suspend each other concurrently: one stays active", () =>
    Effect.gen(function* () {
      const { as, somebody, sql } = yield* Suite
      for (let round = 0; round < 5; round++) {
        const [one, other] = [yield* somebody(1, "admin"), yield* somebody(1, "admin")]
        yield* sql`update identity.account set state = 'suspended' where tenant_id = 1 and role = 'admin' and id not in (${one.id}, ${other.id})`
        const answers = yield* Effect.all(
          [as(one, "POST", `users/${other.id}/suspend`), as(other, "POST", `users/${one.id}/suspend`)],
          { concurrency: 2 }
        )
        expect(
          yield* sql`select 1 from identity.account where id in (${one.id}, ${other.id}) and state = 'active'`
        ).toHaveLength(1)
        expect(answers.map(({ status }) => status).toSorted()).not.toContain(503)
      }
    })
  )

  it.effect("a change of role, state or password ends the sessions of this user only", () =>
    Effect.gen(function* () {
      const { as, audited, events, somebody, sql, tenant } = yield* Suite
      const boss = yield* somebody(yield* tenant(), "admin")
      const witness = yield* somebody(boss.tenant, "customer")
      const ends = [
        ["PATCH", "", { role: "customer" }, "account_changed", "user.changed", "identity.user.changed"],
        ["POST", "/suspend", undefined, "account_suspended", "user.suspended", "identity.user.changed"],
        [
          "POST",
          "/password",
          { password: "a long enough phrase" },
          "password_changed",
          "user.password_set",
          "identity.user.changed"
        ],
        ["POST", "/sign-out", undefined, "revoked", "user.signed_out", undefined],
        ["DELETE", "", undefined, undefined, "user.deleted", "identity.user.deleted"]
      ] as const
      for (const [method, path, body, because, action, event] of ends) {
        const target = yield* somebody(boss.tenant, "reseller")
        expect((yield* as(target, "GET", "users?limit=1")).status).toBe(200)
        expect((yield* as(boss, method, `users/${target.id}${path}`, body)).status).toBeLessThan(300)
        expect((yield* as(target, "GET", "users?limit=1")).status, action).toBe(401)
        const [session] = yield* sql<{
          ended_because: string
        }>`select ended_because from identity.session where id = ${target.session}`
        expect(session?.ended_because, action).toBe(because)
        expect(yield* sql`select 1 from core.ended_session where session = ${target.session}`, action).toHaveLength(1)
        expect((yield* audited(action)).map(({ entity_id }) => entity_id)).toContain(String(target.id))
        if (event !== undefined) expect((yield* events(event)).map(({ user_id }) => user_id)).toContain(target.id)
      }
      expect((yield* as(witness, "GET", "users?limit=1")).status).toBe(200)
      // Other changes end no sessions.
      yield* as(boss, "PATCH", `users/${witness.id}`, { name: "W", locale: "de", email: "witness@example.org" })
      expect((yield* as(witness, "GET", "users?limit=1")).status).toBe(200)
    })
  )

  it.effect("a manager lists the sessions of a user and ends one of them", () =>
    Effect.gen(function* () {
      const { as, audited, somebody, sql, tenant } = yield* Suite
      const boss = yield* somebody(yield* tenant(), "admin")
      const clerk = yield* somebody(boss.tenant, "customer")
      const other = yield* somebody(boss.tenant, "customer")
      expect((yield* as(boss, "GET", `users/${clerk.id}/sessions`)).json.items).toMatchObject([{ id: clerk.session }])
      expect((yield* as(clerk, "GET", `users/${other.id}/sessions`)).status).toBe(403)
      const path = (of: number) => `users/${of}/sessions/${clerk.session}`
      // A session of somebody else is not found below another user.
      expect((yield* as(boss, "DELETE", path(other.id))).status).toBe(404)
      expect((yield* as(clerk, "GET", "users?limit=1")).status).toBe(200)
      expect((yield* as(boss, "DELETE", path(clerk.id))).status).toBe(204)
      expect((yield* as(clerk, "GET", "users?limit=1")).status).toBe(401)
      expect((yield* as(boss, "DELETE", path(clerk.id))).status).toBe(404)
      expect((yield* as(boss, "GET", `users/${clerk.id}/sessions`)).json.items).toEqual([])
      expect(yield* sql`select 1 from core.ended_session where session = ${clerk.session}`).toHaveLength(1)
      expect((yield* audited("user.signed_out")).map(({ entity_id }) => entity_id)).toContain(String(clerk.id))
    })
  )

  it.effect("a repeated change has no effect and writes nothing", () =>
    Effect.gen(function* () {
      const { as, somebody, sql, tenant } = yield* Suite
      const boss = yield* somebody(yield* tenant(), "admin")
      const clerk = yield* somebody(boss.tenant, "user")
      const twice = [
        ["POST", "/suspend", undefined],
        ["POST", "/unsuspend", undefined],
        ["PATCH", "", { name: "Clerk" }],
        ["POST", "/sign-out", undefined]
      ] as const
      for (const [method, path, body] of twice) {
        yield* as(boss, method, `users/${clerk.id}${path}`, body)
        const written = sql`select 1 from core.audit where entity_id = ${String(clerk.id)}
          union all select 1 from core.event where (data->>'user_id')::int = ${clerk.id}`
        const before = (yield* written).length
        expect((yield* as(boss, method, `users/${clerk.id}${path}`, body)).status).toBe(200)
        expect((yield* written).length, path).toBe(before)
      }
    })
  )

  it.effect("a deleted user leaves only audit entries", () =>
    Effect.gen(function* () {
      const { as, somebody, sql, tenant } = yield* Suite
      const boss = yield* somebody(yield* tenant(), "admin")
      const clerk = yield* somebody(boss.tenant, "user")
      yield* as(clerk, "PUT", "settings/preferences", { mail_handler: "internal" })
      yield* as(boss, "POST", `users/${clerk.id}/link`)
      expect((yield* as(boss, "DELETE", `users/${clerk.id}`)).status).toBe(204)
      expect(
        yield* sql`select 1 from identity.setting where scope_id = ${String(clerk.id)}
        union all select 1 from identity.session where account_id = ${clerk.id}
        union all select 1 from identity.sign_in_link where account_id = ${clerk.id}`
      ).toEqual([])
      expect((yield* as(boss, "DELETE", `users/${clerk.id}`)).status).toBe(404)
    })
  )
})
