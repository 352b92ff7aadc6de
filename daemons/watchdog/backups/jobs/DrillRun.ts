/**
 * The restore drill: restores the newest backup into a throw-away place, proves what came out of it by the manifest of
 * the backup, and measures how long a real restore would take.
 */
import { existsSync, readFileSync, statSync } from "node:fs"
import { stat } from "node:fs/promises"
import { join } from "node:path"
import { PgConnection } from "@effect/sql-pg"
import { Clock, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { toSqlPg } from "#core/postgres/ConnectionTarget.ts"
import type { DrillCheck, DrillReport } from "../Api.ts"
import type { Restic, Snapshot } from "../engine/Restic.ts"
import { ResticError } from "../engine/ResticError.ts"
import { countTables } from "../parts/DatabaseDump.ts"
import { hashOf, keyFileOf, keyFingerprints, stagingOf } from "../parts/FileParts.ts"
import * as FurtherDatabases from "../parts/FurtherDatabases.ts"
import { backupFolder, type FurtherDatabase, Manifest, type TableCount } from "../parts/Manifest.ts"
import * as Staging from "../parts/Staging.ts"
import { ownTag, typeTag } from "../Retention.ts"
import type { RunContext } from "./BackupRun.ts"
import type { Outcome } from "./JobProgress.ts"
import * as ThrowawayPostgres from "./ThrowawayPostgres.ts"

type Check = typeof DrillCheck.Type

/** Maximum number of faults that one check names. Reason: a few show the cause. */
const mostNamed = 10

/** Share of the mail files that may come or go while a backup reads them. */
const mailDrift = 0.1

/** Path of the manifest in a snapshot. */
export const manifestPath = `/${backupFolder}/manifest.json`

/** The newest backup that has databases; without one the newest. Pure. */
export const newest = (snapshots: ReadonlyArray<Snapshot>): Snapshot | undefined => {
  const ours = snapshots.filter(({ tags }) => tags?.includes(ownTag)).toSorted((a, b) => (a.time < b.time ? 1 : -1))
  return ours.find(({ tags }) => ["full", "databases"].some((type) => tags?.includes(`${typeTag}${type}`))) ?? ours[0]
}

/** Reads the manifest of a restored snapshot. */
export const readManifest = (folder: string) =>
  Effect.try({
    try: () => readFileSync(join(folder, backupFolder, "manifest.json"), "utf8"),
    catch: (error) => new Staging.StagingFailed({ message: Staging.wordsOf(error) })
  }).pipe(
    Effect.flatMap(Schema.decodeEffect(Schema.fromJsonString(Manifest))),
    Effect.mapError(
      (error) => new Staging.StagingFailed({ message: `the manifest of the backup cannot be read: ${error.message}` })
    )
  )

export const runDrill = ({ at, config, restic }: RunContext) =>
  Effect.scoped(
    Effect.gen(function* () {
      at("prepare")
      const snapshot = newest(yield* restic.snapshots)
      if (snapshot === undefined)
        return yield* new ResticError({ reason: "Failed", message: "the repository has no backup to restore" })
      const place = yield* Staging.folder(stagingOf(config), "drill")
      const checks: Array<Check> = []
      const prove = <E extends { readonly message: string }, R>(
        check: string,
        work: Effect.Effect<{ readonly faults: ReadonlyArray<string>; readonly detail: string }, E, R>
      ) =>
        Effect.gen(function* () {
          at(check)
          const began = yield* Clock.currentTimeMillis
          const found = yield* Effect.catch(work, (error) =>
            Effect.succeed({ faults: [(error as { readonly message: string }).message], detail: "" })
          )
          const ok = found.faults.length === 0
          checks.push({
            check,
            ok,
            detail: ok ? found.detail : listed(found.faults),
            duration_ms: (yield* Clock.currentTimeMillis) - began
          })
          return ok
        })

      yield* prove(
        "repository",
        Effect.as(restic.check(config.drillReadPercent), {
          faults: [],
          detail: `structure sound, ${config.drillReadPercent} % of the data read`
        })
      )
      const began = yield* Clock.currentTimeMillis
      let manifest: typeof Manifest.Type | undefined
      let bytes = 0
      const restored = yield* prove(
        "restore",
        Effect.gen(function* () {
          yield* restic.restore({ snapshot: snapshot.id, target: place, include: [manifestPath] })
          manifest = yield* readManifest(place)
          yield* Staging.requireRoom(place, databasesSize(manifest))
          yield* restic.restore({
            snapshot: snapshot.id,
            target: place,
            include: [`/${backupFolder}`, ...manifest.files.map(({ path }) => path)]
          })
          bytes = sizeOf(place, manifest)
          return { faults: [], detail: `${manifest.files.length} sampled files and the databases` }
        })
      )
      const restoreTook = Math.max(1, (yield* Clock.currentTimeMillis) - began)
      let databaseTook = 0
      if (restored && manifest !== undefined) {
        const proven = manifest
        if (proven.database !== null) {
          const before = yield* Clock.currentTimeMillis
          yield* proveDatabase(proven.database, place, prove)
          databaseTook = (yield* Clock.currentTimeMillis) - before
        }
        for (const further of proven.further ?? [])
          yield* prove(`rows of ${further.database.database}`, proveFurther(further, place))
        yield* prove("files", proveFiles(proven, place))
        if (proven.mail.length > 0) yield* prove("mail", proveMail(restic, snapshot.id, proven.mail))
        yield* prove("secrets", Effect.succeed(proveKeys(proven.key_fingerprints, keyFingerprints(keyFileOf(config)))))
      }
      const sql = yield* SqlClient.SqlClient
      const [job] = yield* sql<{ size: number | null }>`select size::float8 as size from watchdog.backup_job
        where snapshot = ${snapshot.id} and work = 'backup'`
      const whole = Math.max(job?.size ?? 0, bytes)
      const ok = checks.every((check) => check.ok)
      const report: typeof DrillReport.Type = {
        snapshot: snapshot.id,
        backup_time: new Date(snapshot.time).toISOString(),
        ok,
        checks,
        restored_bytes: bytes,
        real_restore_ms: Math.round((restoreTook * whole) / Math.max(1, bytes)) + databaseTook
      }
      const failing = checks.filter((check) => !check.ok)
      return {
        snapshot: snapshot.id,
        size: bytes,
        added: null,
        files: null,
        leftOut: [],
        report,
        problem: ok ? null : failing.map(({ check, detail }) => `${check}: ${detail}`).join("\n")
      } satisfies Outcome as Outcome
    })
  )

type Proof = { readonly faults: ReadonlyArray<string>; readonly detail: string }
type Prove = <E extends { readonly message: string }, R>(
  check: string,
  work: Effect.Effect<Proof, E, R>
) => Effect.Effect<boolean, never, R>

const proveDatabase = (database: NonNullable<(typeof Manifest.Type)["database"]>, place: string, prove: Prove) =>
  Effect.scoped(
    Effect.gen(function* () {
      const folder = yield* Staging.folder(place, "server")
      let target: Effect.Success<ReturnType<typeof ThrowawayPostgres.make>> | undefined
      const started = yield* prove(
        "postgres",
        Effect.gen(function* () {
          target = yield* ThrowawayPostgres.make(database, place, folder)
          return { faults: [], detail: `a server started with the restored database (${database.form})` }
        })
      )
      if (!started || target === undefined) return
      const reached = target
      yield* prove(
        "rows",
        Effect.scoped(
          Effect.gen(function* () {
            const session = yield* PgConnection.make({ ...toSqlPg(reached), applicationName: "signalbox drill" })
            const counts = yield* countTables(session)
            return proveRows(database.tables, new Map(counts.map(({ rows, table }) => [table, rows])))
          })
        )
      )
    })
  )

const proveFurther = ({ database, folder }: FurtherDatabase, place: string) =>
  Effect.map(FurtherDatabases.countRows(join(place, backupFolder, FurtherDatabases.furtherFolder, folder)), (found) =>
    proveRows(database.tables, found)
  )

/** Compares tables and their rows with those of the backup. Pure. */
export const proveRows = (expected: ReadonlyArray<TableCount>, found: ReadonlyMap<string, number>): Proof => ({
  faults: expected.flatMap(({ least, most, table }) => {
    const rows = found.get(table)
    if (rows === undefined) return [`the table ${table} is missing`]
    if (rows >= least && rows <= most) return []
    return [`${table} has ${rows} rows, not ${least === most ? least : `${least} to ${most}`}`]
  }),
  detail: `${expected.length} tables have their ${expected.reduce((sum, { least }) => sum + least, 0)} rows`
})

const proveFiles = ({ files }: typeof Manifest.Type, place: string) =>
  Effect.promise(async (): Promise<Proof> => {
    const faults: Array<string> = []
    let same = 0
    for (const { changed_at, path, sha256, size } of files) {
      const restored = join(place, path)
      const found = await stat(restored).catch(() => undefined)
      // Deleted or changed between its hash and its backup: it proves nothing.
      if (found === undefined || Math.floor(found.mtimeMs) !== changed_at) continue
      if (found.size === size && (await hashOf(restored)) === sha256) same++
      else faults.push(`${path} has another content than when it was saved`)
    }
    if (files.length > 0 && same === 0 && faults.length === 0) faults.push("none of the sampled files was restored")
    return { faults, detail: `${same} of ${files.length} sampled files have the content they had` }
  })

const proveMail = (restic: Restic, snapshot: string, mail: (typeof Manifest.Type)["mail"]) =>
  Effect.gen(function* () {
    const counts = mail.map(() => 0)
    const folders = mail.map(({ folder }) => (folder.endsWith("/") ? folder : `${folder}/`))
    yield* restic.list(snapshot, ({ path, type }) => {
      if (type !== "file") return
      const at = folders.findIndex((folder) => path.startsWith(folder))
      if (at >= 0) counts[at] = counts[at]! + 1
    })
    return mailProof(mail, counts)
  })

/** Mail goes on while a backup reads it, so the number may differ a little. Pure. */
export const mailProof = (mail: (typeof Manifest.Type)["mail"], counts: ReadonlyArray<number>): Proof => ({
  faults: mail.flatMap(({ files, folder }, at) => {
    const found = counts[at] ?? 0
    return Math.abs(found - files) <= Math.ceil(files * mailDrift) && (files === 0 || found > 0)
      ? []
      : [`${folder} has ${found} files in the backup, and had ${files}`]
  }),
  detail: `${counts.reduce((sum, count) => sum + count, 0)} files of mail`
})

/** Without the keys of its time a backup's stored secrets cannot be read. Pure. */
export const proveKeys = (saved: ReadonlyArray<string>, present: ReadonlyArray<string>): Proof => {
  const lost = saved.filter((key) => !present.includes(key))
  return {
    faults: lost.length === 0 ? [] : ["the key file has no longer a key of the backup: stored secrets stay unreadable"],
    detail: saved.length === 0 ? "no secrets were stored" : "the key file opens the stored secrets of the backup"
  }
}

const listed = (faults: ReadonlyArray<string>): string =>
  [...faults.slice(0, mostNamed), ...(faults.length > mostNamed ? [`and ${faults.length - mostNamed} more`] : [])].join(
    "; "
  )

const databasesSize = ({ database, further = [] }: typeof Manifest.Type): number =>
  further.reduce((sum, one) => sum + one.database.size, database?.size ?? 0)

const sizeOf = (place: string, manifest: typeof Manifest.Type): number =>
  databasesSize(manifest) +
  manifest.files.reduce((sum, { path }) => {
    const restored = join(place, path)
    return existsSync(restored) ? sum + statSync(restored).size : sum
  }, 0)
