/**
 * Forward-only schema changes, one schema per daemon. A migration is a list of statements with an id and a name. It
 * runs once, in a transaction, under an advisory lock, and is recorded in `<schema>.migration`.
 *
 * Features import their migrations statically, because everything runs from one bundle.
 *
 * Effect's Migrator 4.1.0 reports no error when the database is newer than the program, and creates no schema. This
 * file has 150 lines.
 */
import { Context, Effect, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"

/** One step. Its statements run in order, one by one, because a prepared client takes one statement at a time. */
export interface Migration {
  readonly id: number
  readonly name: string
  readonly statements: ReadonlyArray<string>
  /**
   * The version before also works with it, because it only adds what that version ignores. Then that version may start
   * again without a backup. Default: it does not.
   */
  readonly additive?: true
}

/** The steps of one schema; `schema` is the daemon's name with underscores. */
export interface Migrations {
  readonly schema: string
  readonly steps: ReadonlyArray<Migration>
}

/** Schema and steps of a daemon whose code is not loaded. */
export interface KnownMigrations {
  readonly schema: string
  readonly steps: ReadonlyArray<Pick<Migration, "id">>
}

/** Version of this program; recorded with each migration. */
export const ProgramVersion = Context.Reference<string>("signalbox/core/sql/ProgramVersion", {
  defaultValue: () => "unknown"
})

/** A migration that ran in the database. */
export interface Ran {
  readonly schema: string
  readonly id: number
  readonly name: string
  /** When it ran: before this moment a backup fits this program. */
  readonly ranAt: Date
  /** Version of the program that ran it; null: a version that did not record itself. */
  readonly version: string | null
  /** The version before works with it. */
  readonly additive: boolean
}

/** The database has migrations that this program does not know: the program is older than its data. */
export class SchemaTooNew extends Schema.TaggedError<SchemaTooNew>()("SchemaTooNew", { message: Schema.String }) {}

/** Explains the unknown migrations to an operator. Pure. `version`: version of this program. */
export const tooNew = (unknown: ReadonlyArray<Ran>, version: string): string => {
  const bySchema = Map.groupBy(unknown, ({ schema }) => schema)
  const changes = Array.from(
    bySchema,
    ([schema, steps]) => `schema ${schema} (${steps.map(({ id, name }) => `migration ${id}, ${name}`).join("; ")})`
  )
  const first = new Date(Math.min(...unknown.map(({ ranAt }) => ranAt.getTime())))
  const moment = first.toISOString().slice(0, 19).replace("T", " ")
  const newest = unknown.reduce((a, b) => (b.ranAt > a.ranAt ? b : a)).version
  return (
    `a newer version of Signalbox changed the database: ${changes.join(", ")}. ` +
    `Start ${newest === null || newest === version ? "that version" : `version ${newest}`} again. Or, to stay at ` +
    `${version}, restore a backup of the database from before ${moment} UTC, ` +
    "when the first of these changes was made"
  )
}

/** The schema of a daemon. */
export const schemaOf = (daemon: string): string => daemon.replaceAll("-", "_")

/** Migrates one schema; returns the steps that ran. */
export const run = (
  migrations: Migrations
): Effect.Effect<ReadonlyArray<Migration>, SqlError.SqlError | SchemaTooNew, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const table = sql(`${migrations.schema}.migration`)
    const { due, last, version } = yield* sql.withTransaction(
      Effect.gen(function* () {
        // The statement time-out of daemons does not fit an index over a year of rows, or waiting for another process's
        // migration.
        yield* sql`set local statement_timeout = 0`
        yield* sql`select pg_advisory_xact_lock(hashtext('signalbox migrations'))`
        const [present] = yield* sql`select 1 from information_schema.tables
        where table_schema = ${migrations.schema} and table_name = 'migration'`
        if (present === undefined) {
          yield* sql`create schema if not exists ${sql(migrations.schema)}`
          yield* sql`create table ${table}
            (id int primary key, name text not null, ran_at timestamptz not null default now())`
        }
        yield* sql`alter table ${table} add column if not exists version text,
          add column if not exists additive boolean not null default false`
        const version = yield* ProgramVersion
        const ran = yield* sql.unsafe<Ran>(ranMigrations(migrations.schema))
        const refused = refusedBy(migrations, ran)
        if (refused.length > 0) return yield* new SchemaTooNew({ message: tooNew(refused, version) })
        const last = ran.at(-1)?.id ?? 0
        const due = migrations.steps.filter((step) => step.id > last)
        for (const step of due) {
          for (const statement of step.statements) yield* sql.unsafe(statement).unprepared
          yield* sql`insert into ${table} (id, name, version, additive)
            values (${step.id}, ${step.name}, ${version}, ${step.additive === true})`
        }
        return { due, last, version }
      })
    )
    // A new database creates the schema of every daemon; these lines would push the sign-in link off the screen.
    const log = last === 0 ? Effect.logDebug : Effect.logInfo
    if (due.length > 0) yield* log(told(migrations.schema, due, last, version))
    return due
  })

/** What ran, for the log. Pure. */
const told = (schema: string, due: ReadonlyArray<Migration>, last: number, version: string): string =>
  last === 0
    ? `schema ${schema} was created, with migrations up to ${due.at(-1)!.id}`
    : `schema ${schema} was migrated by version ${version}: ` +
      `${due.map(({ id, name }) => `${id} ${name}`).join(", ")}. ` +
      (due.every(({ additive }) => additive === true)
        ? "The version before can start again"
        : "An older version can start again only after a backup from before now was restored")

/** Statement that reads the migrations of a schema, in order. Older programs left fewer columns. */
export const ranMigrations = (schema: string): string =>
  `select '${schema}' as schema, id, name, ran_at as "ranAt", to_jsonb(m)->>'version' as version,
          coalesce((to_jsonb(m)->>'additive')::boolean, false) as additive
     from ${schema}.migration m order by id`

/** Migrations above the last one that this program knows. Pure. */
export const unknownTo = ({ steps }: KnownMigrations, ran: ReadonlyArray<Ran>): ReadonlyArray<Ran> =>
  ran.filter(({ id }) => id > (steps.at(-1)?.id ?? 0))

/** Those of them that this program cannot work with. Pure. */
export const refusedBy = (migrations: KnownMigrations, ran: ReadonlyArray<Ran>): ReadonlyArray<Ran> =>
  unknownTo(migrations, ran).filter(({ additive }) => !additive)

/**
 * Refuses when any of these schemas is newer than this program. A daemon also needs the schemas of the others to be of
 * its version, because it exchanges events and jobs with their programs.
 */
export const refuseNewer = (
  all: ReadonlyArray<KnownMigrations>
): Effect.Effect<void, SqlError.SqlError | SchemaTooNew, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const present = yield* sql<{ schema: string }>`select table_schema as schema from information_schema.tables
      where table_name = 'migration' and ${sql.in(
        "table_schema",
        all.map(({ schema }) => schema)
      )}`
    const refused = yield* Effect.forEach(
      all.filter(({ schema }) => present.some((one) => one.schema === schema)),
      (migrations) => Effect.map(sql.unsafe<Ran>(ranMigrations(migrations.schema)), (ran) => refusedBy(migrations, ran))
    )
    if (refused.flat().length > 0)
      return yield* new SchemaTooNew({ message: tooNew(refused.flat(), yield* ProgramVersion) })
  })
