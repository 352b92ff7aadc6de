/** One backup: dumps the databases, saves all parts in one snapshot, and applies retention. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { Effect, Exit, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { layoutOf } from "#core/postgres/ServerLayout.ts"
import { Database } from "#core/sql/Database.ts"
import type { BackupType } from "../BackupWords.ts"
import type { Progress, Restic, Snapshot } from "../engine/Restic.ts"
import * as DatabaseDump from "../parts/DatabaseDump.ts"
import * as DumpPrograms from "../parts/DumpPrograms.ts"
import * as FurtherDatabases from "../parts/FurtherDatabases.ts"
import { countFiles, keyFileOf, keyFingerprints, type LeftOut, partsOf, sample, stagingOf } from "../parts/FileParts.ts"
import { backupFolder, type DatabaseManifest, type Manifest } from "../parts/Manifest.ts"
import * as PhysicalCopy from "../parts/PhysicalCopy.ts"
import * as Staging from "../parts/Staging.ts"
import * as Retention from "../Retention.ts"
import type { BackupSettings } from "../Settings.ts"
import type { Outcome } from "./JobProgress.ts"
import type { JobRow } from "./JobStore.ts"

export interface RunContext {
  readonly config: BackupSettings
  readonly restic: Restic
  /** Records the step, and the bytes that are done. */
  readonly at: (step: string, progress?: Progress) => void
  /** Name of the folder of the dump; default: that of the daemon. */
  readonly stage?: string
}

export const runBackup = (
  { at, config, restic, stage: name = "stage" }: RunContext,
  job: Pick<JobRow, "id" | "type" | "schedule">
) =>
  Effect.scoped(
    Effect.gen(function* () {
      at("prepare")
      const parts = partsOf(job.type, config)
      const staging = yield* Effect.flatMap(Effect.scope, Scope.fork)
      const stage = yield* Scope.provide(Staging.folder(stagingOf(config), name), staging)
      const inner = join(stage, backupFolder)
      yield* Effect.sync(() => mkdirSync(inner, { mode: 0o711 }))
      const withDatabases = job.type === "full" || job.type === "databases"
      if (withDatabases) at("databases")
      const { database, further } = withDatabases ? yield* saveDatabases(config, inner) : noDatabases
      at("manifest")
      const manifest: Manifest = {
        version: 1,
        job_id: job.id,
        type: job.type,
        made_at: new Date().toISOString(),
        database,
        further: further.databases,
        files: yield* Effect.promise(() =>
          sample([...parts.customers, ...parts.mail, ...parts.configuration], parts.excludes)
        ),
        mail: yield* Effect.forEach(parts.mail, (folder) =>
          Effect.promise(async () => ({ folder, files: await countFiles(folder) }))
        ),
        key_fingerprints: keyFingerprints(keyFileOf(config))
      }
      yield* Effect.sync(() => writeFileSync(join(inner, "manifest.json"), JSON.stringify(manifest), { mode: 0o600 }))
      at("copy")
      const summary = yield* restic.backup({
        cwd: stage,
        paths: [backupFolder, ...parts.customers, ...parts.mail, ...parts.configuration],
        excludes: parts.excludes,
        tags: [
          Retention.ownTag,
          `${Retention.typeTag}${job.type}`,
          `${Retention.jobTag}${job.id}`,
          // A comma separates tags.
          ...(job.schedule === null ? [] : [`${Retention.scheduleTag}${job.schedule.replaceAll(",", " ")}`])
        ],
        onProgress: (progress) => at("copy", progress)
      })
      const leftOut: Array<LeftOut> = [
        ...parts.leftOut,
        ...summary.unreadable.map((what) => ({ what, reason: "could not be read" }))
      ]
      at("retention")
      // The backup is there, whatever retention says.
      const retained = Effect.catchTag(applyRetention(restic, job.type), "ResticError", ({ message }) =>
        Effect.sync((): ReadonlyArray<Snapshot> => {
          leftOut.push({ what: "deletion of old backups", reason: message })
          return []
        })
      )
      // restic takes a second to open the repository, and the dump may be large.
      const [kept] = yield* Effect.all([retained, Scope.close(staging, Exit.void)], { concurrency: 2 })
      const isNew = ({ id }: Snapshot) => id.startsWith(summary.shortId)
      const written = kept.find(isNew) ?? (yield* Effect.orElseSucceed(restic.snapshots, () => [])).find(isNew)
      return {
        snapshot: written?.id ?? summary.shortId,
        size: summary.size,
        added: summary.added,
        files: summary.files,
        leftOut,
        report: null,
        problem: further.problems.length === 0 ? null : further.problems.join("\n")
      } satisfies Outcome as Outcome
    })
  )

/**
 * Deletes old backups of this type, and returns the others. Retention counts from a type's newest backup: other types
 * have nothing new.
 */
const applyRetention = (restic: Restic, type: BackupType) =>
  Effect.gen(function* () {
    const { keep, remove } = yield* Retention.apply(restic, [type], false)
    if (remove.length > 0) yield* restic.prune
    return keep.map(({ snapshot }): Snapshot => snapshot)
  })

interface SavedDatabases {
  readonly database: DatabaseManifest | null
  readonly further: FurtherDatabases.Saved
}

const noDatabases: SavedDatabases = { database: null, further: { databases: [], problems: [] } }

/** Saves all databases below `folder`. */
const saveDatabases = (config: BackupSettings, folder: string) =>
  Effect.gen(function* () {
    const database = yield* saveDatabase(config, folder)
    const { target } = yield* Database
    return { database, further: yield* FurtherDatabases.save(config, folder, target) } satisfies SavedDatabases
  })

/** Saves the database of the suite below `folder`, in the form that its server allows. */
const saveDatabase = (config: BackupSettings, folder: string) =>
  Effect.gen(function* () {
    const database = yield* Database
    const sql = yield* SqlClient.SqlClient
    const { major } = database.facts
    const [size] = yield* sql<{ bytes: number }>`select pg_database_size(current_database())::float8 as bytes`
    yield* Staging.requireRoom(folder, size!.bytes)
    const pgDump = yield* DumpPrograms.find("pg_dump", major)
    const save = Effect.gen(function* () {
      if (pgDump !== undefined) {
        const target = join(folder, "databases")
        mkdirSync(target, { mode: 0o700 })
        return yield* DatabaseDump.dump(database, pgDump, join(target, database.facts.database))
      }
      if (!database.embedded) return yield* DumpPrograms.missing(major)
      const root = join(folder, "postgres")
      mkdirSync(root, { mode: 0o711 })
      const { data } = layoutOf(resolve(config.dataDir))
      return yield* PhysicalCopy.copy(database, data, join(root, "data"))
    })
    return (yield* save) as DatabaseManifest
  })
