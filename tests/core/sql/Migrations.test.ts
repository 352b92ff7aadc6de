import { assert, expect, it } from "@effect/vitest"
import { Effect, Exit, Layer, Logger, References } from "effect"
import { PgClient } from "@effect/sql-pg"
import { SqlClient } from "effect/sql"
import * as Migrations from "#core/sql/Migrations.ts"
import { toSqlPg } from "#core/postgres/ConnectionTarget.ts"
import { freshDatabase } from "#support/Postgres.ts"

const steps = [
  { id: 1, name: "things", statements: ["create table made.thing (n int)", "insert into made.thing values (1)"] },
  { id: 2, name: "more", statements: ["insert into made.thing values (2)"] }
]
const made = { schema: "made", steps }
/** The same with a second step that takes longer than the statement time-out of the client. */
const slow = {
  schema: "made",
  steps: [steps[0]!, { ...steps[1]!, statements: ["insert into made.thing select 2 from pg_sleep(4)"] }]
}

const inDatabase = <A, E>(
  body: (sql: SqlClient.SqlClient, url: Parameters<typeof toSqlPg>[0]) => Effect.Effect<A, E, SqlClient.SqlClient>
) =>
  Effect.gen(function* () {
    const { target } = yield* freshDatabase
    return yield* Effect.flatMap(SqlClient.SqlClient, (sql) => body(sql, target)).pipe(
      Effect.provide(
        PgClient.layer({ ...toSqlPg(target), maxConnections: 4, startupParameters: { statement_timeout: "3s" } })
      )
    )
  })

const names = (ran: ReadonlyArray<Migrations.Migration>) => ran.map((step) => step.name)
const numbers = (sql: SqlClient.SqlClient) =>
  Effect.map(sql<{ n: number }>`select n from made.thing order by n`, (rows) => rows.map((row) => row.n))

it.live("each step runs once, in order, for any duration", () =>
  inDatabase((sql) =>
    Effect.gen(function* () {
      expect(names(yield* Migrations.run({ schema: "made", steps: steps.slice(0, 1) }))).toEqual(["things"])
      expect(names(yield* Migrations.run(slow))).toEqual(["more"])
      expect(names(yield* Migrations.run(slow))).toEqual([])
      expect(yield* numbers(sql)).toEqual([1, 2])
    })
  )
)

it.live("one of several parallel starts migrates, and the others wait", () =>
  inDatabase((sql) =>
    Effect.gen(function* () {
      const ran = yield* Effect.all(
        [1, 2, 3].map(() => Migrations.run(slow)),
        { concurrency: 3 }
      )
      expect(ran.map((steps) => steps.length).toSorted()).toEqual([0, 0, 2])
      expect(yield* numbers(sql)).toEqual([1, 2])
    })
  )
)

it.live("a failed step rolls back the run, and can be corrected", () =>
  inDatabase((sql) =>
    Effect.gen(function* () {
      const broken = {
        schema: "made",
        steps: [...steps, { id: 3, name: "broken", statements: ["insert into made.thing values (3)", "select 1 / 0"] }]
      }
      yield* Migrations.run({ schema: "made", steps: steps.slice(0, 1) })
      expect(Exit.isFailure(yield* Effect.exit(Migrations.run(broken)))).toBe(true)
      expect(yield* numbers(sql)).toEqual([1])
      expect(names(yield* Migrations.run(made))).toEqual(["more"])
    })
  )
)

const running = (version: string) => Effect.provideService(Migrations.ProgramVersion, version)

it.live(
  "a database newer than the program is refused and unchanged; the message names the versions and the backup",
  () =>
    inDatabase((sql) =>
      Effect.gen(function* () {
        const older = { schema: "made", steps: steps.slice(0, 1) }
        yield* Migrations.run(older).pipe(running("1.0.0"))
        yield* Migrations.run(made).pipe(running("1.1.0"))
        const refusals = [Migrations.run(older), Migrations.refuseNewer([{ schema: "absent", steps }, older])]
        for (const refusal of refusals) {
          const error = yield* Effect.flip(refusal.pipe(running("1.0.0")))
          assert(error._tag === "SchemaTooNew")
          expect(error.message).toMatch(
            /^a newer version .*schema made \(migration 2, more\)\. Start version 1\.1\.0 again\. Or, to stay at 1\.0\.0, restore a backup of the database from before \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/
          )
        }
        yield* Migrations.refuseNewer([made])
        expect(yield* sql`select id, version from made.migration order by id`).toEqual([
          { id: 1, version: "1.0.0" },
          { id: 2, version: "1.1.0" }
        ])
      })
    )
)

it.live("the version before works with migrations that only add, and refuses those after them that do more", () =>
  inDatabase((sql) =>
    Effect.gen(function* () {
      const older = { schema: "made", steps }
      const adding = {
        id: 3,
        name: "adding",
        statements: ["alter table made.thing add m int"],
        additive: true as const
      }
      yield* Migrations.run(older).pipe(running("1.0.0"))
      yield* Migrations.run({ schema: "made", steps: [...steps, adding] }).pipe(running("1.1.0"))
      expect(yield* Migrations.run(older).pipe(running("1.0.0"))).toEqual([])
      yield* Migrations.refuseNewer([older]).pipe(running("1.0.0"))

      const changing = { id: 4, name: "changing", statements: ["alter table made.thing drop n"] }
      yield* Migrations.run({ schema: "made", steps: [...steps, adding, changing] }).pipe(running("1.2.0"))
      const error = yield* Effect.flip(Migrations.run(older).pipe(running("1.0.0")))
      expect(error.message).toMatch(/schema made \(migration 4, changing\)\. Start version 1\.2\.0 again\. /)
      expect(yield* sql`select id, additive from made.migration order by id`).toEqual([
        { id: 1, additive: false },
        { id: 2, additive: false },
        { id: 3, additive: true },
        { id: 4, additive: false }
      ])
    })
  )
)

it.live("tables of programs that recorded no version are read and extended", () =>
  inDatabase((sql) =>
    Effect.gen(function* () {
      yield* Migrations.run(made).pipe(running("1.1.0"))
      yield* sql`alter table made.migration drop column version, drop column additive`
      const older = { schema: "made", steps: steps.slice(0, 1) }
      const error = yield* Effect.flip(Migrations.refuseNewer([older]).pipe(running("1.0.0")))
      expect(error.message).toContain("Start that version again")
      yield* Migrations.run({ schema: "made", steps: [...steps, { id: 3, name: "third", statements: [] }] }).pipe(
        running("1.2.0")
      )
      expect(yield* sql`select id, version from made.migration order by id`).toEqual([
        { id: 1, version: null },
        { id: 2, version: null },
        { id: 3, version: "1.2.0" }
      ])
    })
  )
)

it.live("the log names what ran, and a new schema only when it shows details", () =>
  inDatabase(() =>
    Effect.gen(function* () {
      const said: Array<readonly [level: string, text: string]> = []
      const logger = Logger.make(({ logLevel, message }) => void said.push([logLevel, String(message)]))
      const logged = Effect.provide(
        Layer.merge(Logger.layer([logger]), Layer.succeed(References.MinimumLogLevel, "Debug"))
      )
      yield* Migrations.run({ schema: "made", steps: steps.slice(0, 1) }).pipe(logged)
      yield* Migrations.run(made).pipe(running("1.1.0"), logged)
      yield* Migrations.run(made).pipe(logged)
      const adding = { id: 3, name: "adding", statements: [], additive: true as const }
      yield* Migrations.run({ schema: "made", steps: [...steps, adding] }).pipe(running("1.2.0"), logged)
      expect(said).toEqual([
        ["Debug", "schema made was created, with migrations up to 1"],
        ["Info", expect.stringMatching(/^schema made was migrated by version 1\.1\.0: 2 more\. .*backup/)],
        ["Info", "schema made was migrated by version 1.2.0: 3 adding. The version before can start again"]
      ])
    })
  )
)

it("a daemon's schema is its name", () => {
  expect(Migrations.schemaOf("comm-dispatcher")).toBe("comm_dispatcher")
})
