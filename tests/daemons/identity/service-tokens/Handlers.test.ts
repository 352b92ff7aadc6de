import { expect, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { type Management, managementSuite } from "../ManagementSuite.ts"

class Suite extends Context.Service<Suite, Management>()("test/Suite") {
  static readonly layer = Layer.effect(Suite, managementSuite())
}

layer(Suite.layer, { excludeTestServices: true })("service tokens", (it) => {
  it.effect("a token is shown once, works within its scopes, and stops at once when revoked", () =>
    Effect.gen(function* () {
      const { as, audited, somebody, sql } = yield* Suite
      const chief = yield* somebody(1, "admin")
      const made = yield* as(chief, "POST", "service-tokens", { name: "reader", scopes: ["users.read", "users.read"] })
      expect(made).toMatchObject({
        status: 201,
        json: {
          name: "reader",
          scopes: ["users.read"],
          state: "valid",
          expires_at: null,
          token: expect.stringMatching(/^sbx_/)
        }
      })
      expect(made.headers.get("cache-control")).toBe("no-store")
      const { id, token, ...shown } = made.json
      const call = (path: string) => Effect.map(as({ token }, "GET", path), ({ status }) => status)
      expect([yield* call("users"), yield* call("tenants"), yield* call("service-tokens")]).toEqual([200, 403, 403])
      const listed = yield* as(chief, "GET", "service-tokens")
      expect(listed.json.items.find((item: { id: number }) => item.id === id)).toMatchObject({
        id,
        ...shown,
        last_used_at: listed.json.items.find((item: { id: number }) => item.id === id).last_used_at
      })
      expect(listed.text).not.toContain(token)
      expect((yield* as(chief, "GET", `service-tokens/${id}`)).json).toMatchObject({ id, name: "reader" })
      expect((yield* as(chief, "DELETE", `service-tokens/${id}`)).status).toBe(204)
      expect(yield* call("users")).toBe(401)
      expect((yield* as(chief, "DELETE", `service-tokens/${id}`)).status).toBe(404)
      expect((yield* as(chief, "GET", `service-tokens/${id}`)).json).toMatchObject({ state: "revoked" })
      const entity = {
        tenant_id: 1,
        actor: `user:${chief.id}`,
        entity_type: "service_token",
        entity_id: String(id),
        address: "127.0.0.1"
      }
      expect(yield* audited("service_token.created")).toContainEqual({
        ...entity,
        detail: { name: "reader", scopes: ["users.read"] }
      })
      expect(yield* audited("service_token.revoked")).toContainEqual({ ...entity, detail: {} })
      expect(yield* sql`select 1 from core.audit where detail::text like ${`%${token}%`}`).toEqual([])
    })
  )

  it.effect("a token expires at its expiry", () =>
    Effect.gen(function* () {
      const { as, program } = yield* Suite
      const platform = yield* program("platform")
      const create = (body: object) =>
        as(platform, "POST", "service-tokens", { name: "short", scopes: ["users.read"], ...body })
      const soon = yield* create({ expires_in: 1 })
      const { token } = soon.json
      let status = 200
      const until = Date.now() + 10_000
      // 503: a busy machine did not find out in time whether the token is valid.
      while ([200, 503].includes(status) && Date.now() < until)
        status = (yield* as({ token }, "GET", "users?limit=1")).status
      expect(status).toBe(401)
      expect((yield* as(platform, "GET", `service-tokens/${soon.json.id}`)).json).toMatchObject({ state: "expired" })
      const years = (count: number) => `${new Date().getUTCFullYear() + count}-01-01T00:00:00`
      expect((yield* create({ expires_at: `${years(2)}+01:00` })).json).toMatchObject({
        expires_at: new Date(`${years(2)}+01:00`).toISOString()
      })
      for (const wrong of [
        { expires_at: "2020-01-01T00:00:00Z" },
        { expires_at: `${years(12)}Z` },
        { expires_at: `${years(2)}Z`, expires_in: 5 },
        { expires_at: "soon" }
      ]) {
        expect(yield* create(wrong)).toMatchObject({ status: 422, json: { errors: [{ field: "payload.expires_at" }] } })
      }
      expect(yield* create({ scopes: ["everything"] })).toMatchObject({
        status: 422,
        json: { errors: expect.arrayContaining([expect.objectContaining({ field: "payload.scopes[0]" })]) }
      })
      expect(yield* create({ scopes: [] })).toMatchObject({ status: 422 })
    })
  )

  it.effect("only the provider manages service tokens, and no token gets more scopes than the caller has", () =>
    Effect.gen(function* () {
      const { as, program, somebody, tenant } = yield* Suite
      const boss = yield* somebody(yield* tenant(), "admin")
      const platform = yield* program("platform")
      const { id } = (yield* as(platform, "POST", "service-tokens", { name: "x", scopes: ["users.read"] })).json
      const calls = [
        ["GET", "", undefined],
        ["GET", `/${id}`, undefined],
        ["POST", "", { name: "mine", scopes: ["users.read"] }],
        ["DELETE", `/${id}`, undefined]
      ] as const
      for (const [method, path, body] of calls)
        expect((yield* as(boss, method, `service-tokens${path}`, body)).status, `${method} ${path}`).toBe(403)
      const limited = yield* program("service_tokens.manage", "users.read")
      const gives = (...scopes: ReadonlyArray<string>) =>
        Effect.map(as(limited, "POST", "service-tokens", { name: "more", scopes }), ({ json, status }) => [
          status,
          json.scope
        ])
      expect(yield* gives("users.read")).toEqual([201, undefined])
      for (const more of ["platform", "introspection", "users.manage"])
        expect(yield* gives("users.read", more)).toEqual([403, more])
      expect((yield* as(platform, "GET", `service-tokens/${id}`)).json.state).toBe("valid")
    })
  )
})
