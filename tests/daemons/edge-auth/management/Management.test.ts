/** Management of edge-auth over the API: callers, the last administrator, deleted users, and the audit log. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { edgeAuth } from "#daemons/edge-auth/Daemon.ts"
import * as Users from "#daemons/edge-auth/accounts/Users.ts"
import { fakeUsers } from "#support/FakeUsers.ts"
import { startSuite } from "#support/TestSuite.ts"
import { Place } from "../Browser.ts"

const place = Layer.effect(Place, startSuite({ daemons: [edgeAuth], verifier: fakeUsers }))

const callAs = (caller: string) => (method: string, path: string, body?: unknown) =>
  Effect.flatMap(Place, ({ call }) =>
    call(method, `/api/v1/edge/${path}`, {
      headers: { authorization: `Bearer user:${caller}` },
      ...(body === undefined ? {} : { body })
    })
  )

const call = callAs("1:*")

const make = (email: string, role = "user") =>
  Effect.map(call("POST", "users", { email, name: "Somebody", role }), ({ json }) => json.user.id as number)

describe("the management of edge-auth", () => {
  layer(place, { excludeTestServices: true, timeout: 60_000 })((it) => {
    it.effect("is only for the provider, by permission", () =>
      Effect.gen(function* () {
        assert.strictEqual((yield* callAs("2:*")("GET", "users")).status, 403)
        assert.strictEqual((yield* callAs("2:*")("GET", "coverage")).status, 403)
        const reads = callAs("1:security.read")
        assert.strictEqual((yield* reads("GET", "users")).status, 200)
        assert.strictEqual(
          (yield* reads("POST", "routes", { host: "a.example.org", path: "/", role: "user" })).status,
          403
        )
      })
    )

    it.effect("keeps an administrator, and finds users by name and address", () =>
      Effect.gen(function* () {
        const root = yield* make("root@example.org", "admin")
        const other = yield* make("other%@example.org")
        for (const [method, body] of [
          ["PATCH", { role: "user" }],
          ["PATCH", { status: "blocked" }],
          ["DELETE", undefined]
        ] as const) {
          const { json, status } = yield* call(method, `users/${root}`, body)
          assert.deepStrictEqual([status, json.code], [409, "last_edge_admin"])
        }
        // A change of role and status holds as a whole: neither when one is refused.
        const both = yield* call("PATCH", `users/${root}`, { role: "admin", status: "blocked" })
        assert.deepStrictEqual([both.status, both.json.code], [409, "last_edge_admin"])
        const { sql } = yield* Place
        assert.deepStrictEqual(
          yield* sql`select action from core.audit where entity_type = 'edge_user' and entity_id = ${String(root)}`,
          [{ action: "edge_user.created" }]
        )
        // Another user may go, though no other administrator is left.
        assert.strictEqual((yield* call("PATCH", `users/${other}`, { status: "blocked" })).json.status, "blocked")
        const found = yield* call("GET", "users?q=r%25%40")
        assert.deepStrictEqual(
          found.json.items.map(({ id }: any) => id),
          [other]
        )
        assert.strictEqual(
          (yield* call("POST", "users", { email: "ROOT@example.org", name: "A", role: "user" })).status,
          409
        )
      })
    )

    it.effect("deletes a user for good, and the address is free again", () =>
      Effect.gen(function* () {
        const { sql } = yield* Place
        const id = yield* make("gone@example.org")
        yield* sql`insert into edge_auth.sessions (token, user_id, ip, user_agent, expires_at)
          values (${"a".repeat(64)}, ${id}, '', '', now() + interval '1 hour')`
        assert.strictEqual((yield* call("DELETE", `users/${id}`)).status, 204)
        assert.strictEqual((yield* call("DELETE", `users/${id}`)).status, 404)
        assert.strictEqual((yield* call("POST", `users/${id}/password`)).status, 404)
        assert.deepStrictEqual(
          yield* sql`select id from edge_auth.sessions where user_id = ${id} and ended_at is null`,
          []
        )
        assert.notStrictEqual(yield* make("gone@example.org"), id)
        // The row goes once no session refers to it.
        yield* sql`update edge_auth.users set removed_at = now() - interval '2 days' where id = ${id}`
        assert.strictEqual(yield* Effect.provideService(Users.prune, SqlClient.SqlClient, sql), 0)
        yield* sql`delete from edge_auth.sessions where user_id = ${id}`
        assert.strictEqual(yield* Effect.provideService(Users.prune, SqlClient.SqlClient, sql), 1)
        const audit = yield* sql<{ action: string; actor: string }>`select action, actor from core.audit
          where entity_type = 'edge_user' and entity_id = ${String(id)} order by id`
        assert.deepStrictEqual(
          audit.map(({ action }) => action),
          ["edge_user.created", "edge_user.removed"]
        )
        assert.match(audit[0]!.actor, /^user:\d+$/)
      })
    )
  })
})
