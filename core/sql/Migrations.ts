/**
 * Forward-only schema changes, one schema per daemon. A migration is a list of statements with an id and a name. It
 * runs once, in a transaction, under an advisory lock, and is recorded in `<schema>.migration`.
 *
 * Features import their migrations statically, because everything runs from one bundle.
 *
 * Effect's Migrator 4.1.0 reports no error when the database is newer than the program, and creates no schema. This
 * file has 80 lines.
 */
import { Effect, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"

/** One step. Its statements run in order, one by one, because a prepared client takes one statement at a time. */
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

/** The database has a migration that this program does not know: the program is older than its data. */
export class SchemaTooNew extends Schema.TaggedError<SchemaTooNew>()("SchemaTooNew", {
  schema: Schema.String,
  id: Schema.Number
}) {
  override get message() {
    return (
      `schema ${this.schema} was changed by a newer version (migration ${this.id}); ` +
      "start that version or restore a backup"
    )
  }
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
    return yield* sql.withTransaction(
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
