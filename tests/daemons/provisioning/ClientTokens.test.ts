import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { startProvisioning } from "./ProvisioningSuite.ts"

const tokens = "/api/v1/provisioning/client-tokens"

describe("client tokens", () => {
  it.live(
    "are made by users for themselves, and for others only by those who may do as much",
    () =>
      Effect.gen(function* () {
        const { admin, as, eventsOf, person, suite, tenant } = yield* startProvisioning()
        const other = yield* tenant("Other")
        const [anna, boss, chief] = [
          yield* person({ tenant: other }),
          yield* person({ tenant: other, role: "reseller" }),
          yield* person({ tenant: other, role: "admin" })
        ]
        const foreign = yield* person()
        const made = yield* as(anna.headers)("POST", tokens, {})
        assert.strictEqual(made.status, 201)
        assert.strictEqual(made.headers.get("cache-control"), "no-store")
        assert.deepInclude(made.json, { user_id: anna.id, tenant_id: other, state: "unused", device_id: null })
        assert.strictEqual(made.json.created_by, `user:${anna.id}`)

        const forBoss = yield* as(anna.headers)("POST", tokens, { user_id: boss.id })
        assert.deepStrictEqual([forBoss.status, forBoss.json.permission], [403, "users.manage"])
        assert.strictEqual((yield* as(boss.headers)("POST", tokens, { user_id: anna.id })).status, 201)
        const forChief = yield* as(boss.headers)("POST", tokens, { user_id: chief.id })
        assert.deepStrictEqual([forChief.status, forChief.json.code], [403, "role_exceeds_own"])
        for (const user_id of [foreign.id, 999_999])
          assert.strictEqual((yield* as(chief.headers)("POST", tokens, { user_id })).status, 404)
        const forChiefByPlatform = yield* admin("POST", tokens, { user_id: chief.id })
        assert.strictEqual(forChiefByPlatform.status, 201)
        assert.strictEqual((yield* admin("POST", tokens, {})).status, 422)

        // The user sees the own ones, others with users.read all of the tenant.
        const listed = (yield* as(anna.headers)("GET", tokens)).json.items
        assert.deepStrictEqual(new Set(listed.map((one: any) => one.user_id)), new Set([anna.id]))
        const all = (yield* as(boss.headers)("GET", tokens)).json.items
        assert.deepStrictEqual(new Set(all.map((one: any) => one.user_id)), new Set([anna.id, chief.id]))
        assert.deepStrictEqual((yield* as(foreign.headers)("GET", tokens)).json.items, [])
        assert.strictEqual((yield* as(anna.headers)("GET", `${tokens}?limit=1`)).json.items.length, 1)
        assert.deepStrictEqual((yield* as(anna.headers)("GET", `${tokens}?state=used`)).json.items, [])
        for (const { text } of [yield* as(boss.headers)("GET", tokens), yield* admin("GET", tokens)])
          assert.notInclude(text, made.json.link.slice(-30))

        // Nobody but the user and those who manage users revokes.
        assert.strictEqual((yield* as(foreign.headers)("DELETE", `${tokens}/${made.json.id}`)).status, 404)
        assert.strictEqual((yield* as(anna.headers)("DELETE", `${tokens}/${forChiefByPlatform.json.id}`)).status, 404)
        assert.strictEqual((yield* as(boss.headers)("DELETE", `${tokens}/${made.json.id}`)).status, 204)
        const changes = yield* eventsOf("provisioning.token.changed")
        assert.deepStrictEqual(
          changes
            .filter(({ data }) => data.token_id === made.json.id)
            .map(({ data, user_id }) => [data.state, user_id]),
          [
            ["unused", null],
            ["revoked", null]
          ]
        )
        assert.notInclude(JSON.stringify(changes), made.json.link.slice(-30))

        yield* suite.sql`update provisioning.known_user set state = 'suspended' where user_id = ${chief.id}`
        assert.strictEqual((yield* admin("POST", tokens, { user_id: chief.id })).json.code, "user_not_active")
      }).pipe(Effect.scoped),
    120_000
  )

  it.live(
    "are stored as hashes only, bounded in number, and have the lifetime of the setting",
    () =>
      Effect.gen(function* () {
        const { as, link, person, suite } = yield* startProvisioning({
          env: { SIGNALBOX_PROVISIONING_TOKEN_DAYS: "2" }
        })
        const anna = yield* person()
        const { json, path } = yield* link(anna)
        assert.strictEqual(Math.round((Date.parse(json.expires_at) - Date.parse(json.created_at)) / 86_400_000), 2)
        const secret = path.slice(-64)
        for (const table of ["provisioning.client_token", "core.event", "core.audit", "core.idempotency_key"]) {
          const rows = yield* suite.sql.unsafe<{ row: string }>(`select to_jsonb(t)::text as row from ${table} t`)
          for (const { row } of rows) assert.notInclude(row, secret.slice(0, 20), table)
        }
        yield* suite.sql`insert into provisioning.client_token
            (tenant_id, user_id, prefix, hash, created_by, expires_at)
          select 1, ${anna.id}, 'aaaaaaaa', decode(md5(n::text), 'hex'), 'test', now() + interval '1 day'
            from generate_series(1, 49) n`
        const full = yield* as(anna.headers)("POST", "/api/v1/provisioning/client-tokens", {})
        assert.deepStrictEqual([full.status, full.json.code, full.json.limit], [409, "too_many_tokens", 50])
      }).pipe(Effect.scoped),
    120_000
  )
})
