/**
 * Postgres databases beside that of the suite, such as those of customers. Each is dumped by itself. One that cannot be
 * dumped fails the job, but not the rest of the backup.
 */
import { mkdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { PgConnection } from "@effect/sql-pg"
import { Effect, Redacted, Result } from "effect"
import { type ConnectionTarget, toSqlPg } from "#core/postgres/ConnectionTarget.ts"
import { innermost } from "#core/sql/Sql.ts"
import { runProgram } from "../engine/Programs.ts"
import type { BackupSettings } from "../Settings.ts"
import * as DatabaseDump from "./DatabaseDump.ts"
import { everyDatabase, folderOf, isSame, nameOf, targetsOf } from "./DatabaseUrls.ts"
import * as DumpPrograms from "./DumpPrograms.ts"
import type { FurtherDatabase } from "./Manifest.ts"
import { requireRoom, StagingFailed } from "./Staging.ts"

/** Folder of their dumps below the folder of the backup. */
export const furtherFolder = "further-databases"

export interface Saved {
  readonly databases: ReadonlyArray<FurtherDatabase>
  /** A sentence for each database or server that could not be dumped. */
  readonly problems: ReadonlyArray<string>
}

/** Dumps them below `folder`. `own`: database of the suite, which a whole server may contain; it is left out. */
export const save = Effect.fnUntraced(function* (config: BackupSettings, folder: string, own: ConnectionTarget) {
  const text = config.furtherDatabases === undefined ? "" : Redacted.value(config.furtherDatabases)
  const named = Result.getOrElse(targetsOf(text), () => [])
  const problems: Array<string> = []
  const noted = <A, E extends { readonly message: string }, R>(
    target: ConnectionTarget,
    work: Effect.Effect<A, E, R>
  ) =>
    Effect.catch(work, (error) =>
      Effect.sync(() => {
        problems.push(`database ${nameOf(target)}: ${innermost(error)}`)
        return undefined
      })
    )
  const targets: Array<ConnectionTarget> = []
  for (const target of named)
    targets.push(
      ...(target.database === everyDatabase ? ((yield* noted(target, databasesOf(target))) ?? []) : [target])
    )
  const databases: Array<FurtherDatabase> = []
  for (const [at, target] of targets.filter((one) => !isSame(one, own)).entries()) {
    const path = join(folder, furtherFolder, folderOf(target, at))
    const database = yield* noted(target, dumpOne(target, path))
    if (database === undefined) yield* Effect.sync(() => rmSync(path, { recursive: true, force: true }))
    else databases.push({ folder: folderOf(target, at), server: `${target.host}:${target.port}`, database })
  }
  return { databases, problems } satisfies Saved as Saved
})

const session = (target: ConnectionTarget) =>
  PgConnection.make({ ...toSqlPg(target), applicationName: "signalbox backup" })

const databasesOf = (target: ConnectionTarget) =>
  Effect.scoped(
    Effect.gen(function* () {
      const asked = yield* session({ ...target, database: "postgres" })
      const { rows } = yield* asked.query(
        "select datname::text as name from pg_database where datallowconn and not datistemplate order by 1"
      )
      return rows.map((row): ConnectionTarget => ({ ...target, database: String(row["name"]) }))
    })
  )

const dumpOne = (target: ConnectionTarget, path: string) =>
  Effect.gen(function* () {
    const [facts] = yield* Effect.scoped(
      Effect.flatMap(session(target), (asked) =>
        Effect.map(
          asked.query(
            "select current_setting('server_version_num')::int / 10000 as major," +
              " pg_database_size(current_database())::float8 as size"
          ),
          ({ rows }) => rows.map((row) => ({ major: Number(row["major"]), size: Number(row["size"]) }))
        )
      )
    )
    const pgDump = yield* DumpPrograms.find("pg_dump", facts!.major)
    if (pgDump === undefined) return yield* DumpPrograms.missing(facts!.major)
    yield* Effect.sync(() => mkdirSync(join(path, ".."), { recursive: true, mode: 0o700 }))
    yield* requireRoom(join(path, ".."), facts!.size)
    return yield* DatabaseDump.dump(
      // Policies that hide rows from the login make pg_dump fail, so no dump lacks rows without a word.
      { target, embedded: false, facts: { database: target.database, major: facts!.major, bypasses: true } },
      pgDump,
      path
    )
  })

/**
 * Rows that a dump has for each table, read by pg_restore without a server: a trial server need not have the extensions
 * of every customer.
 */
export const countRows = (path: string) =>
  Effect.gen(function* () {
    const pgRestore = yield* DumpPrograms.find("pg_restore", 1)
    if (pgRestore === undefined) return yield* new StagingFailed({ message: "pg_restore is not installed" })
    const counter = rowCounter()
    yield* runProgram({ program: pgRestore, args: ["--data-only", "--file=-", path], onLine: counter.line })
    return counter.rows
  })

/** `COPY schema."a table" (id, name) FROM stdin;` */
const copyStatement = /^COPY ((?:"(?:[^"]|"")+"|[^\s".]+)(?:\.(?:"(?:[^"]|"")+"|[^\s".]+))?) (?:\(.*\) )?FROM stdin;$/

/** Counts the rows of the COPY statements in a script of pg_restore. */
export const rowCounter = () => {
  const rows = new Map<string, number>()
  let table: string | undefined
  return {
    rows: rows as ReadonlyMap<string, number>,
    line: (line: string): void => {
      if (table !== undefined) {
        if (line === "\\.") table = undefined
        else rows.set(table, rows.get(table)! + 1)
        return
      }
      table = copyStatement.exec(line)?.[1]
      if (table !== undefined) rows.set(table, 0)
    }
  }
}
