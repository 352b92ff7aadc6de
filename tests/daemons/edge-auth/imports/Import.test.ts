/** AUTH_DB_PATH with real SQLite files: imported once, and invalid files. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { hashSync } from "bcryptjs"
import { mkdirSync, rmSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { edgeAuth } from "#daemons/edge-auth/Daemon.ts"
import { readOldFile } from "#daemons/edge-auth/imports/OldFile.ts"
import { isBad, routeOf, userOf } from "#daemons/edge-auth/imports/OldRows.ts"
import { temporaryDirectory } from "#support/Postgres.ts"
import { startSuite } from "#support/TestSuite.ts"
import { cookieOf, password, Place, signIn, verify, register } from "../Browser.ts"

/** Tables as in the interface document. */
const schema = `create table users (id integer primary key, email text unique, password text, name text, status text default 'pending', role text default 'user',
    created_at text default current_timestamp, approved_at text, last_login text);
  create table sessions (token text primary key, user_id integer, ip text, user_agent text, created_at text, expires_at text);
  create table protected_routes (id integer primary key, host text, path text, description text, required_role text default 'user', enabled integer default 1, created_at text default current_timestamp);
  create table login_attempts (ip text, attempted_at text);`

const fileOf = (folder: string, name: string, fill: (database: DatabaseSync) => void) => {
  const path = join(folder, name)
  const database = new DatabaseSync(path)
  fill(database)
  database.close()
  return path
}

const [hash10, hash12y] = [
  hashSync(password, 10).replace(/^\$2.\$/, "$2a$"),
  hashSync(password, 12).replace(/^\$2.\$/, "$2y$")
]

const start = (
  path: string,
  more: Parameters<typeof startSuite>[0]["env"] = {},
  database?: Parameters<typeof startSuite>[0]["database"]
) =>
  startSuite({
    daemons: [edgeAuth],
    env: { AUTH_COOKIE_DOMAIN: "example.org", AUTH_DB_PATH: path, ...more },
    ...(database === undefined ? {} : { database })
  })

it.live(
  "imports users and routes once, and keeps existing rows",
  () =>
    Effect.gen(function* () {
      const folder = yield* temporaryDirectory()
      const path = fileOf(folder, "auth.db", (database) => {
        database.exec(schema)
        const user = database.prepare(
          "insert into users (email, password, name, status, role, created_at) values (?, ?, ?, ?, ?, ?)"
        )
        user.run("Anna@Example.org", hash10, "Änna", "active", "admin", "2024-02-03 04:05:06")
        user.run("ben@example.org", hash12y, "", "pending", "user", "1700000000")
        user.run("cora@example.org", "plain text", "Cora", "active", "admin", null)
        user.run("anna@example.org", hash12y, "Twice", "blocked", "user", null)
        user.run("no address", hash12y, "X", "active", "user", null)
        user.run("dora@example.org", hash12y, "Dora", "deleted", "user", null)
        const route = database.prepare(
          "insert into protected_routes (host, path, description, required_role, enabled) values (?, ?, ?, ?, ?)"
        )
        route.run("App.Example.org", "/", "The app", "user", 1)
        route.run("app.example.org", "/Admin/", null, "admin", 1)
        route.run("app.example.org", "//admin", null, "user", 1)
        route.run("off.example.org", "", null, "user", 0)
        route.run("bad host", "/", null, "user", 1)
        database.exec(
          "insert into sessions values ('" +
            "a".repeat(64) +
            "', 1, '', '', '2024-01-01', '2999-01-01'); insert into login_attempts values ('203.0.113.1', '2999-01-01')"
        )
      })
      const suite = yield* start(path)
      const { sql } = suite
      const users = yield* sql`select email, name, status, role, created_at from edge_auth.users order by email`
      assert.deepStrictEqual(
        users.map(({ email, name, role, status }) => [email, name, status, role]),
        [
          ["anna@example.org", "Änna", "active", "admin"],
          ["ben@example.org", "ben", "pending", "user"]
        ]
      )
      assert.deepStrictEqual(users[0]!["created_at"], new Date("2024-02-03T04:05:06Z"))
      const routes =
        yield* sql`select host, path, required_role, enabled from edge_auth.protected_routes order by host, path`
      assert.deepStrictEqual(
        routes.map((row) => Object.values(row)),
        [
          ["app.example.org", "/", "user", 1],
          ["app.example.org", "/admin", "admin", 1],
          ["off.example.org", "/", "user", 0]
        ]
      )
      assert.strictEqual(
        (yield* sql`select 1 from edge_auth.sessions union all select 1 from edge_auth.login_attempts`).length,
        0
      )
      const [line] = yield* sql<{
        detail: unknown
        actor: string
      }>`select actor, detail from core.audit where action = 'edge_import'`
      assert.deepStrictEqual(line, {
        actor: "system",
        detail: { users: { taken: 2, kept: 1, bad: 3 }, routes: { taken: 3, kept: 1, bad: 1 } }
      })

      // The imported passwords work, and the next registered user is no admin.
      yield* Effect.gen(function* () {
        const session = cookieOf(yield* signIn("anna@example.org", password), "__platform_auth")!
        // The first sign-in replaces an old hash by one of our cost.
        const [kept] = yield* suite.sql<{ password: string }>`select password from edge_auth.users
          where email = 'anna@example.org'`
        assert.match(kept!.password, /^\$2[aby]\$12\$/)
        assert.strictEqual((yield* verify("app.example.org", "/admin", { session })).status, 200)
        assert.include((yield* register("new@example.org", "New")).text, "must admit you")
      }).pipe(Effect.provideService(Place, suite))

      // A later start with changed file content: the database takes precedence.
      const again = new DatabaseSync(path)
      again.exec(
        "update users set role = 'admin', status = 'active'; insert into protected_routes (host, path) values ('late.example.org', '/')"
      )
      again.close()
      yield* sql`delete from edge_auth.users where email = 'ben@example.org'`
      const second = yield* start(path, {}, suite.database)
      assert.strictEqual(
        (yield* second.sql`select 1 from edge_auth.users where email in ('ben@example.org', 'dora@example.org')`)
          .length,
        0
      )
      rmSync(path)
      yield* start(path, {}, suite.database)
    }),
  120_000
)

it.live(
  "runs in one of two processes that start at the same time",
  () =>
    Effect.gen(function* () {
      const folder = yield* temporaryDirectory()
      const path = fileOf(folder, "auth.db", (database) => {
        database.exec(schema)
        const user = database.prepare(
          "insert into users (email, password, name, status, role) values (?, ?, 'U', 'active', 'user')"
        )
        database.exec("begin")
        for (let row = 0; row < 3_000; row++) user.run(`u${row}@example.org`, hash12y)
        database.exec("commit")
      })
      const first = yield* startSuite({ daemons: [edgeAuth], env: { AUTH_COOKIE_DOMAIN: "example.org" } })
      yield* Effect.all([start(path, {}, first.database), start(path, {}, first.database)], { concurrency: 2 })
      const [counted] = yield* first.sql<{
        users: number
        lines: number
      }>`select (select count(*)::int from edge_auth.users) as users, (select count(*)::int from core.audit where action = 'edge_import') as lines`
      assert.deepStrictEqual(counted, { users: 3_000, lines: 1 })
    }),
  120_000
)

it.live(
  "starts despite an unreadable file, reports it, and creates no admin meanwhile",
  () =>
    Effect.gen(function* () {
      const folder = yield* temporaryDirectory()
      const suite = yield* start(join(folder, "later.db"))
      const health = yield* suite.call("GET", "/health")
      assert.deepStrictEqual(health.json.components.import, { status: "degraded", detail: "the file does not exist" })
      yield* Effect.gen(function* () {
        assert.include((yield* register("first@example.org", "First")).text, "must admit you")
      }).pipe(Effect.provideService(Place, suite))
      fileOf(folder, "later.db", (database) => {
        database.exec(schema)
        database
          .prepare("insert into users (email, password, name, status, role) values (?, ?, 'A', 'active', 'admin')")
          .run("first@example.org", hash12y)
        database
          .prepare("insert into users (email, password, name, status, role) values (?, ?, 'A', 'active', 'admin')")
          .run("anna@example.org", hash12y)
      })
      const next = yield* start(join(folder, "later.db"), {}, suite.database)
      const users = yield* next.sql<{
        email: string
        role: string
      }>`select email, role from edge_auth.users order by email`
      assert.deepStrictEqual(users, [
        { email: "anna@example.org", role: "admin" },
        { email: "first@example.org", role: "user" }
      ])
      assert.isUndefined((yield* next.call("GET", "/health")).json.components.import)
    }),
  120_000
)

it.live(
  "reads nothing from an invalid file",
  () =>
    Effect.gen(function* () {
      const folder = yield* temporaryDirectory()
      const detail = (path: string) => Effect.map(Effect.flip(readOldFile(path)), (error) => error.detail)
      const other = (name: string, sql: string) => fileOf(folder, name, (database) => database.exec(sql))
      assert.strictEqual(yield* detail(join(folder, "none")), "the file does not exist")
      mkdirSync(join(folder, "folder"))
      assert.strictEqual(yield* detail(join(folder, "folder")), "it is not a regular file")
      writeFileSync(join(folder, "text"), "no database at all ".repeat(100))
      assert.include(yield* detail(join(folder, "text")), "not a database")
      assert.strictEqual(yield* detail(other("empty.db", "create table x (y)")), "it has no table users")
      // A view that would never end if it were read.
      assert.strictEqual(
        yield* detail(
          other(
            "view.db",
            "create table protected_routes (host); create view users as with recursive r(email) as (select 'a@b.c' union all select email from r) select * from r"
          )
        ),
        "users is not a plain table"
      )
      assert.strictEqual(
        yield* detail(
          other(
            "generated.db",
            "create table users (id, email text generated always as (hex(zeroblob(100000000))) virtual); create table protected_routes (host)"
          )
        ),
        "users has generated columns"
      )
      assert.strictEqual(
        yield* detail(
          other("virtual.db", "create virtual table users using fts5(email); create table protected_routes (host)")
        ),
        "users is not a plain table"
      )
      const many = fileOf(folder, "many.db", (database) =>
        database.exec(
          "create table users (email); create table protected_routes (host); insert into users with recursive r(n) as (select 1 union all select n + 1 from r where n < 100001) select n from r"
        )
      )
      assert.strictEqual(yield* detail(many), "users has more than 100000 rows")
      const cut = fileOf(folder, "cut.db", (database) =>
        database.exec(
          `${schema} insert into users (email, password) select 'a' || value, hex(randomblob(500)) from (with recursive r(value) as (select 1 union all select value + 1 from r where value < 400) select value from r)`
        )
      )
      truncateSync(cut, 40_960)
      assert.isString(yield* detail(cut))
      // Values of all types are read, and refused per row.
      const wild = fileOf(folder, "wild.db", (database) => {
        database.exec(
          "create table users (email, password, name, status, role, created_at); create table protected_routes (host, path, required_role, enabled)"
        )
        database.exec(`insert into users values (9223372036854775807, null, 1.5, x'00', 'admin', 9e999), ('a@example.org', '${"x".repeat(50)}', 'n', 'active', 'user', 0),
        ('b@example.org' || char(0), '${hash12y}', 'n', 'active', 'user', 0), ('c@example.org', '${hash12y.replace("$12$", "$31$")}', 'n', 'active', 'user', 0), ('d@example.org', '${hash12y}', 'n' || char(10) || 'm', 'active', 'user', 0)`)
        database.exec(
          "insert into users values ('e@example.org', zeroblob(50000000), printf('%.*c', 20000000, 'n'), 'active', 'user', 0)"
        )
        database.exec(
          "insert into protected_routes values ('a.example', '/', 'user', 9223372036854775807), (1, '/', 'user', 1), ('a.example', '/a b', 'user', 1), ('a.example', '/x', 'root', 1)"
        )
      })
      const { routes, users } = yield* readOldFile(wild)
      assert.deepStrictEqual(
        [users.map(userOf), routes.map(routeOf)].map((rows) => rows.map((row) => (isBad(row) ? row.bad : row))),
        [
          ["email", "password", "email", "password", "name", "password"],
          ["enabled", "host", "host or path", "required_role"]
        ]
      )
    }),
  120_000
)
