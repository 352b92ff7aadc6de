/**
 * Copies the files of the embedded server while it runs. The npm package of the embedded server has no pg_dump, and
 * Debian 12 has none of its major version, so the files are the only complete form. Source: Postgres manual, "Making a
 * Base Backup Using the Low Level API": between pg_backup_start and pg_backup_stop files may change while they are
 * copied; the write-ahead log of that time repairs them at the first start.
 *
 * A replication slot keeps that log; it ends with the session. A restored copy is a whole server of the same major
 * version; single tables come out of it after its start.
 */
import { constants, type Dirent } from "node:fs"
import { copyFile, mkdir, readdir, readlink, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { PgConnection } from "@effect/sql-pg"
import { Effect, Schema } from "effect"
import type { Database } from "#core/sql/Database.ts"
import { toSqlPg } from "#core/postgres/ConnectionTarget.ts"
import { socketTarget } from "#core/postgres/Bootstrap.ts"
import { superuserRole } from "#core/postgres/ServerAccess.ts"
import { countTables, sizeOf } from "./DatabaseDump.ts"
import type { DatabaseManifest } from "./Manifest.ts"
import { wordsOf } from "./Staging.ts"

export class CopyFailed extends Schema.TaggedError<CopyFailed>()("CopyFailed", { message: Schema.String }) {}

/** Content that is created again at the start. Source: Postgres manual, chapter "Base Backup", excluded contents. */
const emptied = new Set([
  "pg_dynshmem",
  "pg_notify",
  "pg_replslot",
  "pg_serial",
  "pg_snapshots",
  "pg_stat_tmp",
  "pg_subtrans",
  "pg_wal"
])
const omitted =
  /^(postmaster\.(pid|opts)|pg_internal\.init.*|pgsql_tmp.*|backup_label.*|tablespace_map.*|current_logfiles.*)$/

/** Copies the server with the files in `data` to `target`, which must not exist. */
export const copy = (database: Database["Service"], data: string, target: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { facts } = database
      const ours = yield* PgConnection.make({ ...toSqlPg(database.target), applicationName: "signalbox backup" })
      const admin = yield* PgConnection.make({
        ...toSqlPg(socketTarget(database.target.host, superuserRole, facts.database)),
        applicationName: "signalbox backup"
      })
      yield* admin.query(
        "select slot_name::text from pg_create_physical_replication_slot(" +
          "'signalbox_backup_' || pg_backend_pid(), true, true)"
      )
      const before = yield* counted(ours)
      yield* admin.query("select pg_backup_start('signalbox', true)::text")
      yield* io("copying the database", (stopped) => copyTree(data, target, true, stopped))
      const [stopped] = (yield* admin.query(
        "select lsn::text, labelfile, spcmapfile from pg_backup_stop(wait_for_archive => false)"
      )).rows
      // pg_backup_stop switched to a new segment, so all of the copied ones are complete.
      yield* io("copying the write-ahead log", (stopped) =>
        copyTree(join(data, "pg_wal"), join(target, "pg_wal"), false, stopped)
      )
      const spcmap = String(stopped!["spcmapfile"] ?? "")
      yield* io("writing the backup label", async () => {
        await writeFile(join(target, "backup_label"), String(stopped!["labelfile"]), { mode: 0o600 })
        if (spcmap !== "") await writeFile(join(target, "tablespace_map"), spcmap, { mode: 0o600 })
      })
      const after = yield* counted(ours)
      return {
        form: "physical",
        database: facts.database,
        embedded: database.embedded,
        server_major: facts.major,
        size: yield* sizeOf(ours),
        tables: boundsOf(before, after)
      } satisfies DatabaseManifest as DatabaseManifest
    })
  )

interface Counted {
  readonly rows: number
  /** Inserted and deleted rows since the start of the statistics. */
  readonly changes: number
}

const counted = Effect.fnUntraced(function* (session: PgConnection.PgConnection) {
  const changes = yield* session.query(
    `select format('%I.%I', schemaname, relname) as name, (n_tup_ins + n_tup_del)::float8 as changes
       from pg_stat_user_tables`
  )
  const changesOf = new Map(changes.rows.map((row) => [String(row["name"]), Number(row["changes"])]))
  const counts = yield* countTables(session)
  return new Map(counts.map(({ rows, table }) => [table, { rows, changes: changesOf.get(table) ?? 0 }]))
})

/**
 * Rows that a table of the copy may have. The copy is of a moment between both counts: a table that did not change has
 * exactly its rows, any other at most as many more or fewer as rows were inserted and deleted. Pure.
 */
export const boundsOf = (before: ReadonlyMap<string, Counted>, after: ReadonlyMap<string, Counted>) =>
  [...before].flatMap(([table, first]) => {
    const last = after.get(table)
    // Dropped meanwhile.
    if (last === undefined) return []
    const changes = Math.max(0, last.changes - first.changes)
    return [
      {
        table,
        least: Math.max(0, Math.min(first.rows, last.rows) - changes),
        most: Math.max(first.rows, last.rows) + changes
      }
    ]
  })

/**
 * Runs a copy. An interruption waits until the copy has stopped: otherwise it would write into the folder of the next
 * backup.
 */
const io = (what: string, work: (stopped: AbortSignal) => Promise<void>): Effect.Effect<void, CopyFailed> =>
  Effect.callback<void, CopyFailed>((resume) => {
    const stop = new AbortController()
    const running = work(stop.signal).then(
      () => resume(Effect.void),
      (error: unknown) => resume(Effect.fail(new CopyFailed({ message: `${what}: ${wordsOf(error)}` })))
    )
    return Effect.promise(() => {
      stop.abort()
      return running
    })
  })

/** Files that disappear while they are copied belong to dropped tables, which the log drops again. */
const copyTree = async (from: string, to: string, top: boolean, stopped: AbortSignal): Promise<void> => {
  await mkdir(to, { recursive: true, mode: 0o700 })
  let entries: ReadonlyArray<Dirent>
  try {
    entries = await readdir(from, { withFileTypes: true })
  } catch (error) {
    if (isGone(error)) return
    throw error
  }
  for (const entry of entries) {
    if (stopped.aborted) return
    if (omitted.test(entry.name)) continue
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) {
      if (top && emptied.has(entry.name)) await mkdir(target, { recursive: true, mode: 0o700 })
      else await copyTree(source, target, false, stopped)
      continue
    }
    try {
      if (entry.isSymbolicLink()) await symlink(await readlink(source), target)
      else if (entry.isFile()) await copyFile(source, target, constants.COPYFILE_FICLONE)
    } catch (error) {
      if (!isGone(error)) throw error
    }
  }
}

const isGone = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === "ENOENT"
