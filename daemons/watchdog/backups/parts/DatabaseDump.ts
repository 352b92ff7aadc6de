/**
 * Dumps a database with pg_dump, and counts its rows in the same snapshot. The directory format restores
 * in part: pg_restore takes single tables of it. It is not compressed, so that restic finds what did not change.
 */
import { rm } from "node:fs/promises"
import { PgConnection } from "@effect/sql-pg"
import { Effect, Redacted } from "effect"
import type { DatabaseFacts } from "#core/sql/DatabaseFacts.ts"
import { type ConnectionTarget, isSocket, toSqlPg } from "#core/postgres/ConnectionTarget.ts"
import { runProgram } from "../engine/Programs.ts"
import type { DatabaseManifest, TableCount } from "./Manifest.ts"

/** Environment of libpq for a target. The password never is an argument, which all users of the machine can read. */
export const libpqEnvironment = (target: ConnectionTarget): Record<string, string> => ({
  PGHOST: target.host,
  PGPORT: String(target.port),
  PGUSER: target.user,
  PGDATABASE: target.database,
  PGSSLMODE: target.ssl,
  PGAPPNAME: "signalbox backup",
  PGCONNECT_TIMEOUT: "10",
  ...(target.password === undefined ? {} : { PGPASSWORD: Redacted.value(target.password) }),
  ...(isSocket(target) || process.env["NODE_EXTRA_CA_CERTS"] === undefined
    ? {}
    : { PGSSLROOTCERT: process.env["NODE_EXTRA_CA_CERTS"] })
})

/**
 * Tables that are dumped at once, each by a connection of its own. Reason: the server and pg_dump wait for each other;
 * two use both cores of a small machine, and more would slow the server down for its users. After a kill -9 of this
 * process a worker of pg_dump ends with its table; systemd ends it at once.
 */
const dumpJobs = 2

/**
 * Words of a dump that fails only with several connections: a table that another session wants for itself since the
 * dump began, and a server without free connections. Source: pg_dump, parallel.c; Postgres, proc.c and postinit.c.
 */
const failsInParallel = /could not obtain lock on relation|too many (?:clients|connections)|connection slots/

/** A database to dump. `bypasses`: no policy hides rows from the login, or pg_dump has to fail. */
export interface Source {
  readonly target: ConnectionTarget
  readonly embedded: boolean
  readonly facts: Pick<DatabaseFacts, "database" | "major" | "bypasses">
}

/** Writes the dump to `folder`, which must not exist. `pgDump`: program. */
export const dump = (database: Source, pgDump: string, folder: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { facts, target } = database
      // A transaction that only reads has no transaction id, so it holds back no reader of events.
      const session = yield* PgConnection.make({ ...toSqlPg(target), applicationName: "signalbox backup" })
      yield* session.query("begin isolation level repeatable read read only")
      const [exported] = (yield* session.query("select pg_export_snapshot() as id")).rows
      const size = yield* sizeOf(session)
      const dumpWith = (jobs: number) =>
        runProgram({
          program: pgDump,
          args: [
            "--format=directory",
            "--compress=0",
            `--jobs=${jobs}`,
            // A dump that a crash of the machine damages is of no use, because its job begins again.
            "--no-sync",
            `--file=${folder}`,
            `--snapshot=${String(exported!["id"])}`,
            // The role that owns the tables is bound by their policies, which show it all rows.
            ...(facts.bypasses ? [] : ["--enable-row-security"]),
            "--no-password"
          ],
          env: libpqEnvironment(target),
          secrets: target.password === undefined ? [] : [Redacted.value(target.password)]
        })
      const dumped = Effect.catchIf(
        dumpWith(dumpJobs),
        ({ words }) => failsInParallel.test(words),
        () =>
          Effect.andThen(
            Effect.promise(() => rm(folder, { recursive: true, force: true })),
            dumpWith(1)
          )
      )
      const [tables] = yield* Effect.all([countTables(session), dumped], { concurrency: 2 })
      yield* session.query("commit")
      return {
        form: "dump",
        database: facts.database,
        embedded: database.embedded,
        server_major: facts.major,
        size,
        tables: tables.map(({ rows, table }): TableCount => ({ table, least: rows, most: rows }))
      } satisfies DatabaseManifest as DatabaseManifest
    })
  )

/** Rows of each table of ours, in the transaction of the session. */
export const countTables = Effect.fnUntraced(function* (session: PgConnection.PgConnection) {
  const found = yield* session.query(
    `select format('%I.%I', n.nspname, c.relname) as name
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind = 'r' and c.relpersistence = 'p' and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
       order by 1`
  )
  const counts: Array<{ table: string; rows: number }> = []
  for (const row of found.rows) {
    const table = String(row["name"])
    const [count] = (yield* session.query(`select count(*)::float8 as rows from ${table}`, [], false)).rows
    counts.push({ table, rows: Number(count!["rows"]) })
  }
  return counts
})

export const sizeOf = (session: PgConnection.PgConnection) =>
  Effect.map(session.query("select pg_database_size(current_database())::float8 as size"), ({ rows }) =>
    Number(rows[0]!["size"])
  )
