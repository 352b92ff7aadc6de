/**
 * Actions on accounts: each is audited in the same transaction as its change, the last admin stays an admin, and
 * housekeeping deletes old data.
 */
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { hash } from "node:crypto"
import { SqlClient } from "effect/sql"
import * as Attempts from "#daemons/edge-auth/accounts/Attempts.ts"
import * as HalfSignIn from "#daemons/edge-auth/accounts/HalfSignIn.ts"
import * as Sessions from "#daemons/edge-auth/accounts/Sessions.ts"
import { edgeAuth } from "#daemons/edge-auth/Daemon.ts"
import { until } from "#support/Frame.ts"
import { withCheapHashes } from "#support/edge/CheapHashes.ts"
import { startSuite } from "#support/TestSuite.ts"
import { ask, cookieOf, password, Place, signIn, submit, register } from "../Browser.ts"

const place = Layer.effect(
  Place,
  startSuite({
    daemons: [edgeAuth],
    env: { AUTH_COOKIE_DOMAIN: "example.org", SIGNALBOX_TRUSTED_PROXIES: "127.0.0.0/8", AUTH_RATE_LIMIT_MAX: "3" }
  }).pipe(withCheapHashes)
)
const sql = Effect.map(Place, ({ sql }) => sql)

interface Line {
  readonly action: string
  readonly actor: string
  readonly entity: string
  readonly address: string | null
  readonly detail: Record<string, unknown>
}
const audit = Effect.flatMap(
  sql,
  (sql) =>
    sql<Line>`select action, actor, entity_type || ' ' || entity_id as entity, address, detail from core.audit where action like 'edge_%' or action like 'refused.edge_%' order by id`
)

/** Creates an admin with a session that has this token. */
const adminBy = Effect.fnUntraced(function* (email: string, token: string) {
  const db = yield* sql
  const [user] = yield* db<{
    id: number
  }>`insert into edge_auth.users (email, password, name, status, role) values (${email}, '', 'Admin', 'active', 'admin') returning id`
  yield* db`insert into edge_auth.sessions (token, user_id, ip, user_agent, expires_at) values (${hash("sha256", token, "hex")}, ${user!.id}, '', '', now() + interval '1 day')`
  return { id: user!.id, session: token }
})

describe("changes at the edge", () => {
  layer(place, { excludeTestServices: true, timeout: 60_000 })((it) => {
    it.effect(
      "are written to the audit log with author, address and object",
      () =>
        Effect.gen(function* () {
          const db = yield* sql
          yield* register("root@example.org", "Root")
          yield* register("ann@example.org", "Ann")
          yield* register("ann@example.org", "Again")
          const session = cookieOf(yield* signIn("root@example.org", password), "__platform_auth")!
          const act = (fields: Readonly<Record<string, string>>) =>
            submit("/admin", fields, { session, address: "203.0.113.9" })
          yield* act({ act: "approve", id: "2" })
          yield* act({ act: "make_admin", id: "2" })
          const ann = cookieOf(yield* signIn("ann@example.org", password), "__platform_auth")!
          yield* act({ act: "make_user", id: "2" })
          yield* act({ act: "add_route", host: "app.example.org", path: "/x", role: "user", description: "d" })
          yield* act({ act: "turn_off", id: "1" })
          yield* act({ act: "turn_on", id: "1" })
          yield* act({ act: "remove_route", id: "1" })
          yield* act({ act: "end_session", id: "2" })
          assert.strictEqual(
            (yield* ask("GET", "/account", { headers: { cookie: `__platform_auth=${ann}` } })).status,
            302
          )
          yield* signIn("ann@example.org", password)
          yield* act({ act: "end_all", id: "2" })
          yield* signIn("ann@example.org", password)
          yield* act({ act: "block", id: "2" })
          yield* ask("GET", "/logout", { headers: { cookie: `__platform_auth=${session}` } })
          yield* ask("GET", "/logout", { headers: { cookie: `__platform_auth=${session}` } })
          const lines = yield* audit
          assert.deepStrictEqual(
            lines.map(
              ({ action, actor, entity }) => `${actor} ${action.replace("edge_", "")} ${entity.replace("edge_", "")}`
            ),
            [
              "edge:1 user.registered user 1",
              "edge:2 user.registered user 2",
              "edge:1 session.begun session 1",
              "edge:1 user.active user 2",
              "edge:1 user.role user 2",
              "edge:2 session.begun session 2",
              "edge:1 user.role user 2",
              "edge:1 route.added route 1",
              "edge:1 route.disabled route 1",
              "edge:1 route.enabled route 1",
              "edge:1 route.removed route 1",
              "edge:1 session.ended session 2",
              "edge:2 session.begun session 3",
              "edge:1 sessions.ended user 2",
              "edge:2 session.begun session 4",
              "edge:1 user.blocked user 2",
              "edge:1 session.ended session 1"
            ]
          )
          assert.deepStrictEqual(
            [lines[0]!.detail, lines[1]!.detail],
            [
              { status: "active", role: "admin" },
              { status: "pending", role: "user" }
            ]
          )
          assert.deepStrictEqual(
            [lines[3]!.address, lines[7]!.detail, lines[13]!.detail, lines[15]!.detail],
            ["203.0.113.9", { host: "app.example.org", path: "/x", role: "user" }, { sessions: 1 }, { sessions: 1 }]
          )
          assert.notInclude(JSON.stringify(lines), password)
          const [row] =
            yield* db`select approved_at is not null as approved, last_login is not null as seen from edge_auth.users where id = 2`
          assert.deepStrictEqual(row, { approved: true, seen: true })
        }),
      120_000
    )

    it.effect(
      "include refused sign-ins without name and password",
      () =>
        Effect.gen(function* () {
          const before = (yield* audit).length
          for (let each = 0; each < 2; each++)
            yield* signIn("nobody@example.org", "a typed secret", { address: "198.51.100.7" })
          yield* signIn("root@example.org", "a typed secret", { address: "198.51.100.8" })
          yield* until(
            "both are written",
            Effect.map(audit, (lines) => lines.length === before + 2)
          )
          const lines = (yield* audit).slice(before)
          assert.deepStrictEqual(
            lines.map(({ action, actor, address, entity }) => [action, actor, address, entity]),
            [
              ["refused.edge_sign_in", "nobody", "198.51.100.7", "sign_in unknown"],
              ["refused.edge_sign_in", "nobody", "198.51.100.8", "sign_in unknown"]
            ]
          )
          for (let each = 0; each < 5; each++) yield* signIn("nobody@example.org", "x", { address: "198.51.100.9" })
          assert.isTrue(
            (yield* audit).some(
              ({ action, address }) => action === "refused.edge_throttled" && address === "198.51.100.9"
            )
          )
          assert.notInclude(JSON.stringify(yield* audit), "typed secret")
        }),
      120_000
    )

    it.effect(
      "need permission, and keep one admin, also for parallel requests",
      () =>
        Effect.gen(function* () {
          const db = yield* sql
          yield* db`update edge_auth.users set status = 'blocked' where role = 'admin'`
          const [one, two] = [
            yield* adminBy("one@example.org", "01".repeat(32)),
            yield* adminBy("two@example.org", "02".repeat(32))
          ]
          const before = (yield* audit).length
          const replies = yield* Effect.all(
            [
              submit("/admin", { act: "make_user", id: String(two.id) }, { session: one.session }),
              submit("/admin", { act: "block", id: String(one.id) }, { session: two.session })
            ],
            { concurrency: 2 }
          )
          const [admins] = yield* db<{
            count: number
          }>`select count(*)::int as count from edge_auth.users where role = 'admin' and status = 'active'`
          assert.strictEqual(admins!.count, 1)
          const done = replies.filter(({ status }) => status === 303).length
          assert.strictEqual(done, 1, String(replies.map(({ status }) => status)))
          assert.strictEqual((yield* audit).length, before + 1)

          // Users can end only their own sessions.
          const ann = yield* db<{
            id: number
          }>`insert into edge_auth.users (email, password, name, status, role) values ('cat@example.org', '', 'Cat', 'active', 'user') returning id`
          const cat = "0c".repeat(32)
          yield* db`insert into edge_auth.sessions (token, user_id, ip, user_agent, expires_at) values (${hash("sha256", cat, "hex")}, ${ann[0]!.id}, '', '', now() + interval '1 day')`
          const [others] = yield* db<{
            id: number
          }>`select id from edge_auth.sessions where ended_at is null and user_id <> ${ann[0]!.id} limit 1`
          yield* submit("/account", { act: "end_session", id: String(others!.id) }, { session: cat })
          assert.strictEqual(
            (yield* db`select 1 from edge_auth.sessions where id = ${others!.id} and ended_at is null`).length,
            1
          )
          assert.strictEqual(
            (yield* submit("/admin", { act: "approve", id: String(ann[0]!.id) }, { session: cat })).status,
            403
          )
          yield* submit("/account", { act: "end_all" }, { session: cat })
          assert.strictEqual(
            (yield* ask("GET", "/account", { headers: { cookie: `__platform_auth=${cat}` } })).status,
            302
          )
          assert.strictEqual(
            (yield* db`select 1 from edge_auth.sessions where id = ${others!.id} and ended_at is null`).length,
            1
          )
        }),
      120_000
    )

    it.effect(
      "are deleted after their retention time, and not before",
      () =>
        Effect.gen(function* () {
          const db = yield* sql
          const limits = { window: 300, max: 10 }
          yield* db`delete from edge_auth.login_attempts`
          yield* db`insert into edge_auth.login_attempts (ip, attempted_at) values ('a', now() - interval '299 seconds'), ('a', now() - interval '301 seconds'), ('account 1', now() - interval '301 seconds'), ('account 1', now() - interval '3601 seconds')`
          yield* db`update edge_auth.sessions set expires_at = now() - interval '23 hours' where id = 1`
          yield* db`update edge_auth.sessions set expires_at = now() - interval '25 hours' where id = 2`
          yield* db`insert into edge_auth.half_sign_ins values ('old', 1, now()), ('young', 1, now() + interval '1 minute')`
          yield* Effect.all([Attempts.prune(limits), Sessions.prune, HalfSignIn.prune]).pipe(
            Effect.tap(([attempts, sessions]) =>
              Effect.sync(() => assert.deepStrictEqual([attempts, sessions], [2, 1]))
            ),
            Effect.provideService(SqlClient.SqlClient, db)
          )
          assert.deepStrictEqual(
            (yield* db<{ token: string }>`select token from edge_auth.half_sign_ins`).map(({ token }) => token),
            ["young"]
          )
        }),
      120_000
    )
  })
})
