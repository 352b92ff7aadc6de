import { expect, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { type Management, managementSuite } from "../ManagementSuite.ts"

class Suite extends Context.Service<Suite, Management>()("test/Suite") {
  static readonly layer = Layer.effect(Suite, managementSuite())
}

const path = "settings/preferences"

layer(Suite.layer, { excludeTestServices: true })("preferences", (it) => {
  it.effect("each user has separate preferences, and absent fields stay unchanged", () =>
    Effect.gen(function* () {
      const { as, audited, somebody, sql, tenant } = yield* Suite
      const anna = yield* somebody(yield* tenant(), "user")
      const berta = yield* somebody(anna.tenant, "admin")
      expect((yield* as(anna, "GET", path)).json).toEqual({ mail_handler: "ask", call_handler: "ask" })
      expect(yield* as(anna, "PUT", path, { mail_handler: "internal" })).toMatchObject({
        status: 200,
        json: { mail_handler: "internal", call_handler: "ask" }
      })
      expect((yield* as(anna, "PUT", path, { call_handler: "system" })).json).toEqual({
        mail_handler: "internal",
        call_handler: "system"
      })
      expect((yield* as(anna, "PUT", path, { call_handler: "system" })).json).toEqual({
        mail_handler: "internal",
        call_handler: "system"
      })
      expect((yield* as(anna, "GET", path)).json).toEqual({ mail_handler: "internal", call_handler: "system" })
      expect((yield* as(berta, "GET", path)).json).toEqual({ mail_handler: "ask", call_handler: "ask" })
      expect(
        yield* sql`select tenant_id, scope, scope_id, key, value #>> '{}' as value from identity.setting where scope_id = ${String(anna.id)} order by key`
      ).toEqual([
        { tenant_id: anna.tenant, scope: "user", scope_id: String(anna.id), key: "call_handler", value: "system" },
        { tenant_id: anna.tenant, scope: "user", scope_id: String(anna.id), key: "mail_handler", value: "internal" }
      ])
      expect(
        (yield* audited("preferences.changed"))
          .filter(({ entity_id }) => entity_id === String(anna.id))
          .map(({ detail }) => detail)
      ).toEqual([{ changed: ["mail_handler"] }, { changed: ["call_handler"] }])
    })
  )

  it.effect("an unknown key or value is refused, and nothing is written", () =>
    Effect.gen(function* () {
      const { as, somebody, sql } = yield* Suite
      const carla = yield* somebody(1, "user")
      for (const [field, body] of [
        ["payload.theme", { mail_handler: "internal", theme: "dark" }],
        ["payload.scope_id", { mail_handler: "internal", scope_id: "1" }],
        ["payload.call_handler", { mail_handler: "internal", call_handler: "Ask" }],
        ["payload.mail_handler", { mail_handler: null }],
        ["payload.mail_handler", { mail_handler: ["ask"] }]
      ] as const) {
        expect(yield* as(carla, "PUT", path, body), field).toMatchObject({
          status: 422,
          json: { code: "invalid_request", errors: [{ field }] }
        })
      }
      expect(yield* sql`select 1 from identity.setting where scope_id = ${String(carla.id)}`).toEqual([])
      expect((yield* as(carla, "GET", path)).json).toEqual({ mail_handler: "ask", call_handler: "ask" })
    })
  )

  it.effect("service tokens are refused", () =>
    Effect.gen(function* () {
      const { as, call, program } = yield* Suite
      for (const scope of ["platform", "settings.manage"] as const) {
        const token = yield* program(scope)
        expect([
          (yield* as(token, "GET", path)).status,
          (yield* as(token, "PUT", path, { mail_handler: "ask" })).status
        ]).toEqual([403, 403])
      }
      expect((yield* call("GET", `/api/v1/${path}`)).status).toBe(401)
    })
  )
})
