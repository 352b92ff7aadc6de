import { expect, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { type Management, managementSuite } from "../../ManagementSuite.ts"

class Suite extends Context.Service<Suite, Management>()("test/Suite") {
  static readonly layer = Layer.effect(Suite, managementSuite())
}

layer(Suite.layer, { excludeTestServices: true })("tenants", (it) => {
  it.effect("the provider creates, renames, suspends and reactivates tenants, with events and audit entries", () =>
    Effect.gen(function* () {
      const { as, events, program, somebody, sql } = yield* Suite
      for (const who of [yield* somebody(1, "admin"), yield* program("platform")]) {
        const name = "bearer" in who ? "Acme" : "Umbrella"
        const made = yield* as(who, "POST", "tenants", { name: ` ${name} ` }, { "idempotency-key": "t" })
        expect(made).toMatchObject({ status: 201, json: { name, state: "active" } })
        expect((yield* as(who, "POST", "tenants", { name: ` ${name} ` }, { "idempotency-key": "t" })).json).toEqual(
          made.json
        )
        const { id } = made.json
        expect(yield* as(who, "POST", "tenants", { name: name.toUpperCase() })).toMatchObject({
          status: 409,
          json: { code: "tenant_name_taken" }
        })
        expect((yield* as(who, "PATCH", `tenants/${id}`, { name: "provider" })).json).toMatchObject({
          code: "tenant_name_taken"
        })
        expect((yield* as(who, "PATCH", `tenants/${id}`, { name: `${name} Ltd` })).json).toMatchObject({
          name: `${name} Ltd`
        })
        for (const state of ["suspended", "active"]) {
          const path = `tenants/${id}/${state === "active" ? "unsuspend" : "suspend"}`
          expect((yield* as(who, "POST", path)).json).toMatchObject({ state })
          expect((yield* as(who, "POST", path)).json).toMatchObject({ state })
        }
        expect(
          yield* sql`select action, tenant_id, entity_id from core.audit where entity_type = 'tenant' and entity_id = ${String(id)} order by id`
        ).toEqual(
          ["tenant.created", "tenant.renamed", "tenant.suspended", "tenant.unsuspended"].map((action) => ({
            action,
            tenant_id: id,
            entity_id: String(id)
          }))
        )
        expect(
          (yield* events("identity.tenant.changed"))
            .filter(({ tenant_id }) => tenant_id === id)
            .map(({ state, version }) => [state, version])
        ).toEqual([
          ["active", 2],
          ["suspended", 3],
          ["active", 4]
        ])
        expect(yield* events("identity.tenant.created")).toContainEqual({
          tenant_id: id,
          name,
          state: "active",
          version: 1
        })
      }
    })
  )

  it.effect("a suspension ends the sessions of this tenant only; the provider's tenant cannot be suspended", () =>
    Effect.gen(function* () {
      const { as, program, somebody, sql, tenant } = yield* Suite
      const platform = yield* program("platform")
      const [home, elsewhere] = [yield* tenant(), yield* tenant()]
      const people = [yield* somebody(home, "admin"), yield* somebody(home, "customer")]
      const neighbour = yield* somebody(elsewhere, "customer")
      const status = (who: { bearer: string }) => Effect.map(as(who, "GET", "users?limit=1"), ({ status }) => status)
      for (const person of people) expect(yield* status(person)).toBe(200)
      yield* as(platform, "POST", `tenants/${home}/suspend`)
      for (const person of people) expect(yield* status(person)).toBe(401)
      expect(yield* status(neighbour)).toBe(200)
      expect(
        yield* sql`select 1 from identity.session where tenant_id = ${home} and ended_because = 'tenant_suspended'`
      ).toHaveLength(2)
      expect(yield* as(platform, "POST", "tenants/1/suspend")).toMatchObject({
        status: 409,
        json: { code: "provider_tenant" }
      })
      expect((yield* as(platform, "POST", "tenants/2000000000/suspend")).status).toBe(404)
    })
  )

  it.effect("the provider sees all tenants, other users see their own tenant", () =>
    Effect.gen(function* () {
      const { as, program, somebody, tenant } = yield* Suite
      const [home, other] = [yield* tenant(), yield* tenant()]
      const boss = yield* somebody(home, "admin")
      const ids = (who: any) =>
        Effect.map(as(who, "GET", "tenants?limit=200"), ({ json }) => json.items.map((item: { id: number }) => item.id))
      expect(yield* ids(boss)).toEqual([home])
      expect(yield* ids(yield* somebody(home, "support"))).toEqual([home])
      expect(yield* ids(yield* somebody(1, "support"))).toEqual([1])
      for (const who of [yield* somebody(1, "admin"), yield* program("tenants.read")])
        expect(yield* ids(who)).toEqual(expect.arrayContaining([other, home, 1]))
      const [theirs, none] = [yield* as(boss, "GET", `tenants/${other}`), yield* as(boss, "GET", "tenants/2000000000")]
      expect([theirs.status, theirs.text]).toEqual([404, none.text])
      expect((yield* as(yield* somebody(home, "customer"), "GET", "tenants")).status).toBe(403)
      const page = (yield* as(yield* program("tenants.read"), "GET", "tenants?limit=1")).json
      expect(
        (yield* as(yield* program("tenants.read"), "GET", `tenants?limit=1&before=${page.next_before}`)).json.items[0]
          .id
      ).toBeLessThan(page.items[0].id)
    })
  )

  it.effect("only the provider manages tenants; other admins cannot manage their own tenant", () =>
    Effect.gen(function* () {
      const { as, somebody, sql, tenant } = yield* Suite
      const [home, other] = [yield* tenant(), yield* tenant()]
      const boss = yield* somebody(home, "admin")
      const before = yield* sql`select * from identity.tenant order by id`
      const [first] = yield* Effect.forEach([home, other, 1, 2_000_000_000], (id) =>
        Effect.forEach(
          [
            ["PATCH", "", { name: "Mine" }],
            ["POST", "/suspend", undefined],
            ["POST", "/unsuspend", undefined]
          ] as const,
          ([method, path, body]) =>
            Effect.map(as(boss, method, `tenants/${id}${path}`, body), ({ status, text }) => {
              expect(status).toBe(403)
              return text
            })
        ).pipe(Effect.map((texts) => new Set(texts)))
      )
      expect(first!.size).toBe(1)
      expect((yield* as(boss, "POST", "tenants", { name: "Mine" })).status).toBe(403)
      expect(yield* sql`select * from identity.tenant order by id`).toEqual(before)
    })
  )
})
