/**
 * The database part of `signalbox check`: whether the server answers and has what we need, pending migrations, and the
 * daemons' own checks of stored rows. Read-only.
 */
import { PgConnection } from "@effect/sql-pg"
import { Duration, Effect } from "effect"
import { type ConnectionTarget, toSqlPg } from "../postgres/ConnectionTarget.ts"
import { oldServer } from "../postgres/ServerVersion.ts"
import { coreMigrations } from "../sql/CoreSchema.ts"
import { type DatabaseFacts, readFacts } from "../sql/DatabaseFacts.ts"
import { connectionFigures, judgeConnections, type Shortfall, shortfalls } from "../sql/DatabaseNeeds.ts"
import { Environment } from "../config/Environment.ts"
import type { ReadRows } from "../daemon/DataCheck.ts"
import type { Daemon } from "../daemon/Daemon.ts"
import {
  type Migrations,
  ProgramVersion,
  type Ran,
  ranMigrations,
  refusedBy,
  tooNew,
  unknownTo
} from "../sql/Migrations.ts"
import { bad, type Finding, ok, warn } from "./Finding.ts"

/** How long connecting to the server may take. Unit: seconds. */
const patience = 5

/** All findings about one database. Fails when it does not answer. `embedded`: it is the server that we start. */
export const checkDatabase = (
  target: ConnectionTarget,
  daemons: ReadonlyArray<Daemon>,
  what: string,
  embedded = false
) =>
  Effect.scoped(
    Effect.gen(function* () {
      const connection = yield* PgConnection.make({
        ...toSqlPg(target),
        applicationName: "signalbox check",
        connectTimeout: Duration.seconds(patience)
      })
      const one = <Row>(text: string, values: ReadonlyArray<unknown> = []) =>
        Effect.map(connection.query(text, values), (result) => result.rows[0] as Row)
      const ours = [coreMigrations, ...daemons.map((daemon) => daemon.migrations)]
      const facts = yield* readFacts(
        connection,
        ours.map(({ schema }) => schema)
      )
      const schemas = yield* Effect.forEach(ours, (migrations) =>
        Effect.gen(function* () {
          const { there } = yield* one<{ there: boolean }>("select to_regclass($1) is not null as there", [
            `${migrations.schema}.migration`
          ])
          const ran = there ? (yield* connection.query(ranMigrations(migrations.schema))).rows : []
          return { migrations, ran: ran as unknown as ReadonlyArray<Ran> }
        })
      )
      const env = yield* Environment
      const read: ReadRows = <Row>(statement: string) =>
        Effect.map(connection.query(statement, []), ({ rows }) => rows as ReadonlyArray<unknown> as ReadonlyArray<Row>)
      const upToDate = daemons.filter(({ migrations }) =>
        schemas.some((one) => one.migrations === migrations && one.ran.at(-1)?.id === migrations.steps.at(-1)?.id)
      )
      const ofRows = yield* Effect.forEach(
        upToDate.flatMap((daemon) => daemon.dataChecks(env)),
        (check) => check(read, undefined)
      )
      return [
        ...findingsOf(
          facts,
          daemons.length,
          `${what}, Postgres ${facts.version}`,
          migrationFindings(schemas, yield* ProgramVersion)
        ),
        ...versionFindings(facts.version, embedded),
        ...ofRows.flat()
      ]
    })
  )

/** Findings about the server: its shortfalls, and one `ok` for each subject without any. Pure. */
export const findingsOf = (
  facts: DatabaseFacts,
  daemons: number,
  what: string,
  migrations: ReadonlyArray<Finding> = []
): ReadonlyArray<Finding> => {
  const found = shortfalls(facts, daemons)
  const of = (check: Shortfall["check"], fine: string): ReadonlyArray<Finding> => {
    const here = found.filter((shortfall) => shortfall.check === check)
    return here.length === 0 ? [ok(check, fine)] : here
  }
  return [
    ...of("database", what),
    ...of("role", `${facts.login}, subject to row-level security`),
    ...of("settings", "of the database"),
    ...migrations,
    ...of("connections", connectionFigures(judgeConnections(facts, daemons)))
  ]
}

const versionFindings = (version: string, embedded: boolean): ReadonlyArray<Finding> => {
  const old = oldServer(version, embedded)
  return old === undefined ? [] : [warn("server", old)]
}

/** Compares the migrations that ran in each schema with those of this version. Pure. */
export const migrationFindings = (
  schemas: ReadonlyArray<{ readonly migrations: Migrations; readonly ran: ReadonlyArray<Ran> }>,
  version: string
): ReadonlyArray<Finding> => {
  const refused = schemas.flatMap(({ migrations, ran }) => refusedBy(migrations, ran))
  if (refused.length > 0) return [bad("migrations", tooNew(refused, version))]
  const unknown = schemas.flatMap(({ migrations, ran }) => unknownTo(migrations, ran))
  if (unknown.length > 0) {
    const names = unknown.map(({ id, schema }) => `${schema} ${id}`).join(", ")
    return [warn("migrations", `of a newer version, with which this one works: ${names}`)]
  }
  const steps = schemas.flatMap(({ migrations, ran }) =>
    migrations.steps
      .filter((step) => step.id > (ran.at(-1)?.id ?? 0))
      .map((step) => ({ name: `${migrations.schema} ${step.id}`, additive: step.additive === true }))
  )
  const pending = steps.map(({ name }) => name)
  return [
    pending.length === 0
      ? ok("migrations", "up to date")
      : warn(
          "migrations",
          `pending: ${pending.join(", ")}; the next start or \`signalbox migrate\` runs them. ` +
            (steps.every(({ additive }) => additive)
              ? "The version before can start again afterwards; make a backup all the same"
              : "Make a backup before, which an older version needs to start again")
        )
  ]
}
