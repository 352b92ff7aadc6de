import { expect, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { PgClient } from "@effect/sql-pg"
import { SqlClient } from "effect/sql"
import * as Migrations from "#core/sql/Migrations.ts"
import { toSqlPg } from "#core/postgres/ConnectionTarget.ts"
import { freshDatabase } from "#support/Postgres.ts"

const steps = [
  { id: 1, name: "things", statements: ["create table made.thing (n int)", "insert into made.thing values (1)"] },
  { id: 2, name: "more", statements: ["insert into made.thing select 2 from pg_sleep(0.2)"] }
]
const made = { schema: "made", steps }

const inDatabase = <A, E>(
  body: (sql: SqlClient.SqlClient, url: Parameters<typeof toSqlPg>[0]) => Effect.Effect<A, E, SqlClient.SqlClient>
) =>
  Effect.gen(function* () {
    const { target } = yield* freshDatabase
    return yield* Effect.flatMap(SqlClient.SqlClient, (sql) => body(sql, target)).pipe(
      Effect.provide(
        PgClient.layer({ ...toSqlPg(target), maxConnections: 4, startupParameters: { statement_timeout: "100ms" } })
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
      expect(names(yield* Migrations.run(made))).toEqual(["more"])
      expect(names(yield* Migrations.run(made))).toEqual([])
      expect(yield* numbers(sql)).toEqual([1, 2])
    })
  )
)

it.live("one of several parallel starts migrates, and the others wait", () =>
  inDatabase((sql) =>
    Effect.gen(function* () {
      const ran = yield* Effect.all(
        [1, 2, 3].map(() => Migrations.run(made)),
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

it.live("a database newer than the program is refused and unchanged", () =>
  inDatabase(() =>
    Effect.gen(function* () {
      yield* Migrations.run(made)
      const error = yield* Effect.flip(Migrations.run({ schema: "made", steps: steps.slice(0, 1) }))
      expect(error).toMatchObject({ _tag: "SchemaTooNew", schema: "made", id: 2 })
      expect(error.message).toContain("newer version")
    })
  )
)

it("a daemon's schema is its name", () => {
  expect(Migrations.schemaOf("comm-dispatcher")).toBe("comm_dispatcher")
})
