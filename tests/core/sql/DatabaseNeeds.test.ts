/** What a Postgres must offer: each shortfall is found on a real server, and the printed SQL mends it. */
import { PgConnection } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { socketTarget, withClient } from "#core/postgres/Bootstrap.ts"
import { type ConnectionTarget, toSqlPg } from "#core/postgres/ConnectionTarget.ts"
import { type EmbeddedServer, start } from "#core/postgres/EmbeddedPostgres.ts"
import { oldestMajor } from "#core/postgres/ServerBinaries.ts"
import { prepare } from "#core/sql/Database.ts"
import { type DatabaseFacts, readFacts } from "#core/sql/DatabaseFacts.ts"
import { refusal, shortfalls } from "#core/sql/DatabaseNeeds.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import { startServer } from "#support/Postgres.ts"
import { preparedDirectory } from "#support/PreparedCluster.ts"

const daemons = 9

const facts = (target: ConnectionTarget) =>
  Effect.scoped(
    Effect.flatMap(PgConnection.make(toSqlPg(target)), (connection) => readFacts(connection, ["core", "identity"]))
  )

/** Shortfalls other than those of a test server, which runs without fsync. */
const lacking = (target: ConnectionTarget) =>
  Effect.map(facts(target), (found) =>
    shortfalls(found, daemons).filter(({ detail }) => !/^(fsync|full_page_writes) /.test(detail))
  )

/** Runs statements one by one, as a superuser. */
const administer = (socketDir: string, database: string, statements: ReadonlyArray<string>) =>
  withClient(socketTarget(socketDir, "postgres", database), (sql) =>
    Effect.forEach(statements, (statement) => sql.unsafe(statement).unprepared, { discard: true })
  )

/** Breakages of a database `d`, and the message that names each. */
const breakages: ReadonlyArray<
  readonly [what: string, statements: ReadonlyArray<string>, status: "bad" | "warn", message: RegExp]
> = [
  ["no role for tenants", ["drop role signalbox_tenant"], "bad", /^signalbox_tenant is missing/],
  ["no membership", ["revoke signalbox_tenant from signalbox"], "bad", /^signalbox cannot switch to the role/],
  ["no schemas", ["alter database d owner to postgres"], "bad", /^signalbox cannot create schemas in database d$/],
  [
    "no tables",
    ["alter database d owner to postgres", "grant create on database d to signalbox"],
    "bad",
    /^signalbox cannot create tables in schema public$/
  ],
  ["no schema", ["drop schema public"], "bad", /^no schema of the search path/],
  [
    "read-only",
    ["alter database d set default_transaction_read_only = on"],
    "bad",
    /^default_transaction_read_only is/
  ],
  ["no row security", ["alter role signalbox set row_security = off"], "bad", /^row_security is off/],
  [
    "serializable",
    ["alter database d set default_transaction_isolation = serializable"],
    "warn",
    /^default_transaction_isolation is serializable/
  ],
  ["late commits", ["alter role signalbox set synchronous_commit = off"], "warn", /^synchronous_commit is off/],
  ["short sessions", ["alter database d set idle_session_timeout = '10s'"], "warn", /^idle_session_timeout is 10000/],
  ["a limit of the role", ["alter role signalbox connection limit 20"], "warn", /^70 available/],
  ["a small limit of the role", ["alter role signalbox connection limit 5"], "warn", /^55 available/],
  ["a limit of the database", ["alter database d connection limit 10"], "bad", /^10 available; needed: 63 as one/]
]

const behaves = (
  title: string,
  server: Effect.Effect<EmbeddedServer, unknown, Scope.Scope>,
  breaks: typeof breakages = breakages
) =>
  describe(title, () => {
    it.live(
      "each shortfall is found, and its SQL mends it",
      () =>
        Effect.gen(function* () {
          const { socketDir } = yield* server
          const target = socketTarget(socketDir, "signalbox", "d")
          for (const [what, statements, status, message] of breaks) {
            yield* administer(socketDir, "postgres", ["create database d owner signalbox"])
            assert.deepStrictEqual(yield* lacking(target), [], `before: ${what}`)
            yield* administer(socketDir, "d", statements)
            const found = yield* lacking(target)
            const match = found.find(({ detail }) => message.test(detail))
            assert.strictEqual(match?.status, status, `${what}: ${JSON.stringify(found)}`)
            if (status === "bad" && match?.check !== "connections") {
              const error = yield* Effect.flip(prepare(target))
              assert.strictEqual(error._tag, "DatabaseUnusable", what)
              assert.include(error.message, match!.sql.join(" "), what)
            }
            yield* administer(
              socketDir,
              "d",
              found.flatMap(({ sql }) => sql)
            )
            assert.deepStrictEqual(yield* lacking(target), [], `after: ${what}`)
            yield* prepare(target)
            yield* administer(socketDir, "postgres", ["drop database d", "alter role signalbox reset all"])
          }
        }),
      120_000
    )

    it.live("config/postgres/README.md makes a server that lacks nothing", () =>
      Effect.gen(function* () {
        const { socketDir } = yield* server
        yield* administer(socketDir, "postgres", [
          "drop database signalbox",
          "drop role signalbox",
          "drop role signalbox_tenant"
        ])
        const readme = readFileSync(join(import.meta.dirname, "../../../config/postgres/README.md"), "utf8")
        const statements = /```sql\n([^`]+)```/.exec(readme)![1]!.trim().split("\n")
        assert.lengthOf(statements, 4)
        yield* administer(socketDir, "postgres", statements)
        assert.deepStrictEqual(yield* lacking(socketTarget(socketDir, "signalbox", "signalbox")), [])
      })
    )

    it.live("a superuser in a database of its own gives the role of our sessions every right", () =>
      Effect.gen(function* () {
        const { socketDir } = yield* server
        yield* administer(socketDir, "postgres", ["drop database signalbox", "drop role signalbox"])
        const target = socketTarget(socketDir, "postgres", "postgres")
        assert.strictEqual((yield* prepare(target)).role, "signalbox")
        assert.deepInclude(yield* facts(target), {
          roleExists: true,
          tenantMember: true,
          createsSchemas: true,
          createsTables: true
        })
        yield* withClient(target, (sql) =>
          Effect.andThen(sql.unsafe("set role signalbox"), sql.unsafe("create table made (n int)"))
        )
      })
    )
  })

behaves("a packaged Postgres", startServer)
describePeers(["postgres15"], "the oldest", () =>
  behaves(
    `Postgres ${oldestMajor}`,
    Effect.flatMap(preparedDirectory("oldest", oldestMajor), (dataDir) => start({ dataDir, fsync: false })),
    // Versions differ in the rights of roles.
    breakages.filter(([what]) => what.startsWith("no "))
  )
)

it.live("finds a database of another encoding, and schemas of another role", () =>
  Effect.gen(function* () {
    const { socketDir } = yield* startServer
    yield* administer(socketDir, "postgres", [
      "create database latin owner signalbox encoding 'LATIN1' locale 'C' template template0"
    ])
    yield* administer(socketDir, "latin", ["create schema core"])
    const found = (yield* lacking(socketTarget(socketDir, "signalbox", "latin"))).filter(
      ({ status }) => status === "bad"
    )
    assert.match(found.map(({ detail }) => detail).join("\n"), /LATIN1[^]*schema core belongs to postgres/)
    yield* administer(
      socketDir,
      "postgres",
      found.flatMap(({ sql }) => sql)
    )
    assert.deepStrictEqual(yield* lacking(socketTarget(socketDir, "signalbox", "latin_utf8")), [])
  })
)

describe("decisions", () => {
  const fine: DatabaseFacts = {
    version: "18.0",
    major: 18,
    database: "d",
    encoding: "UTF8",
    standby: false,
    login: "app",
    superuser: false,
    bypasses: false,
    creates: false,
    role: "app",
    roleExists: true,
    switches: true,
    tenantExists: true,
    tenantMember: true,
    tenantGrants: false,
    createsSchemas: true,
    schema: "public",
    createsTables: true,
    foreign: [],
    settings: { fsync: "on", row_security: "on", transaction_timeout: "0" },
    maxConnections: 200,
    reserved: 3,
    roleLimit: -1,
    databaseLimit: -1,
    mailLimit: 50
  }

  it("nothing is missing on a server that has everything", () => {
    assert.deepStrictEqual(shortfalls(fine, daemons), [])
    assert.isUndefined(refusal([]))
  })

  it.each([
    ["an old version", { version: "14.9", major: 14 }, /14\.9 is too old; 15 or newer/],
    ["a standby", { standby: true }, /must name the primary/],
    [
      "a login that cannot create the role of sessions",
      { bypasses: true, roleExists: false, role: "signalbox" },
      /create role "signalbox" nologin; grant "signalbox" to "app";/
    ],
    ["a strange name", { login: 'a"b', role: 'a"b', createsSchemas: false }, /to "a""b";/]
  ] as const)("%s is refused", (_, more, message) => {
    assert.match(refusal(shortfalls({ ...fine, ...more }, daemons)) ?? "", message)
  })

  it("the default of 100 connections is too small for one process per daemon and the mail server", () => {
    const small = { ...fine, maxConnections: 100, mailLimit: null }
    assert.deepStrictEqual(
      shortfalls(small, daemons).map(({ sql, status }) => [status, sql]),
      [["warn", ["alter system set max_connections = 130; -- then restart this Postgres"]]]
    )
    assert.deepStrictEqual(shortfalls(small, 1), [])
  })
})
