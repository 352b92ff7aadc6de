/**
 * Forward-only schema changes, one schema a daemon. A migration is a list of statements with a number and a name; it
 * runs once, in a transaction, under an advisory lock, and is remembered in `<schema>.migration`.
 *
 * Migrations are imported statically by their daemon because everything runs from one bundle.
 */
import { Effect, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"

/** One step. Statements run in order, each on its own: Postgres takes one at a time from a prepared client. */
export interface Migration {
  readonly id: number
  readonly name: string
  readonly statements: ReadonlyArray<string>
}

/** The steps of one schema; `schema` is the daemon's name with underscores. */
export interface Migrations {
  readonly schema: string
  readonly steps: ReadonlyArray<Migration>
}

/** The database holds a migration that this program does not know: it is older than its data. */
export class SchemaTooNew extends Schema.TaggedError<SchemaTooNew>()("SchemaTooNew", {
  schema: Schema.String,
  id: Schema.Number
}) {
  override get message() {
    return `schema ${this.schema} was changed by a newer version (migration ${this.id}); start that version, or restore`
  }
}

/** The schema of a daemon. */
export const schemaOf = (daemon: string): string => daemon.replaceAll("-", "_")

/** Brings one schema up to date; answers the steps that ran. */
export const run = (
  migrations: Migrations
): Effect.Effect<ReadonlyArray<Migration>, SqlError.SqlError | SchemaTooNew, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const table = sql(`${migrations.schema}.migration`)
    return yield* sql.withTransaction(
      Effect.gen(function* () {
        // The bound on a daemon's statements is none on an index over a year of rows, nor on waiting for somebody who
        // makes it.
        yield* sql`set local statement_timeout = 0`
        yield* sql`select pg_advisory_xact_lock(hashtext('signalbox migrations'))`
        const [present] = yield* sql`select 1 from information_schema.tables
        where table_schema = ${migrations.schema} and table_name = 'migration'`
        if (present === undefined) {
          yield* sql`create schema if not exists ${sql(migrations.schema)}`
          yield* sql`create table ${table} (id int primary key, name text not null, ran_at timestamptz not null default now())`
        }
        const done = yield* sql<{ id: number }>`select id from ${table} order by id`
        const last = done.at(-1)?.id ?? 0
        if (last > (migrations.steps.at(-1)?.id ?? 0)) {
          return yield* new SchemaTooNew({ schema: migrations.schema, id: last })
        }
        const due = migrations.steps.filter((step) => step.id > last)
        for (const step of due) {
          for (const statement of step.statements) yield* sql.unsafe(statement).unprepared
          yield* sql`insert into ${table} (id, name) values (${step.id}, ${step.name})`
        }
        return due
      })
    )
  })
