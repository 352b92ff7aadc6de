/**
 * The command `signalbox backup restore`: shows a plan, and restores into a folder that is new or empty. A dump goes
 * into a database that has no tables of ours. Nothing that lives is overwritten.
 */
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync } from "node:fs"
import { join, resolve } from "node:path"
import { PgConnection } from "@effect/sql-pg"
import { Clock, Console, Effect, Option, Result } from "effect"
import { exitUsage, fail } from "#core/cli/Ending.ts"
import { print } from "#core/cli/Output.ts"
import { Environment, settings } from "#core/config/Environment.ts"
import { parse, toSqlPg } from "#core/postgres/ConnectionTarget.ts"
import * as Restic from "./engine/Restic.ts"
import { newest, readManifest } from "./jobs/DrillRun.ts"
import { bytes, duration } from "./jobs/NoticeWords.ts"
import { load } from "./jobs/ThrowawayPostgres.ts"
import { backupFolder } from "./parts/Manifest.ts"
import { backupSettings } from "./Settings.ts"

interface Flags {
  readonly snapshot: string
  readonly target: string
  readonly only: Option.Option<"databases" | "files">
  readonly path: Option.Option<string>
  readonly database: Option.Option<string>
  readonly table: Option.Option<string>
  readonly yes: boolean
  readonly json: boolean
}

/** Every failure as a sentence. */
const spoken = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.mapError(effect, (error) => fail((error as { readonly message: string }).message))

export const restore = Effect.fnUntraced(function* (flags: Flags) {
  const config = yield* settings(backupSettings)
  const restic = Restic.make(config)
  const target = resolve(flags.target)
  if (existsSync(target) && readdirSync(target).length > 0)
    return yield* fail(`${target} is not empty. Nothing is overwritten: choose a new folder.`, exitUsage)
  const snapshots = yield* spoken(restic.snapshots)
  const snapshot =
    flags.snapshot === "latest"
      ? newest(snapshots)
      : snapshots.find(({ id }) => flags.snapshot.length >= 4 && id.startsWith(flags.snapshot))
  if (snapshot === undefined) return yield* fail(`The repository has no backup ${flags.snapshot}.`)
  const into = yield* databaseOf(flags.database)
  let size = 0
  let files = 0
  const include = includeOf(flags)
  const folders = include.map((path) => `${path}/`)
  const omitted = Option.isSome(flags.only) && flags.only.value === "files" ? `/${backupFolder}/` : undefined
  yield* spoken(
    restic.list(snapshot.id, (entry) => {
      const wanted =
        (include.length === 0 ||
          include.includes(entry.path) ||
          folders.some((folder) => entry.path.startsWith(folder))) &&
        (omitted === undefined || !entry.path.startsWith(omitted))
      if (entry.type !== "file" || !wanted) return
      size += entry.size
      files++
    })
  )
  const plan = {
    snapshot: snapshot.id,
    time: new Date(snapshot.time).toISOString(),
    target,
    size,
    files,
    into_database: into?.database ?? null,
    carried_out: flags.yes
  }
  if (!flags.json || !flags.yes)
    yield* print(flags.json, plan, () => [
      `backup ${snapshot.short_id} of ${plan.time}`,
      `restores ${files} files, ${bytes(size)}, into ${target}`,
      ...(into === undefined ? [] : [`loads the dump into the database ${into.database} at ${into.host}`]),
      ...(flags.yes ? [] : ["This is the plan. --yes carries it out."])
    ])
  if (!flags.yes) return
  const began = yield* Clock.currentTimeMillis
  yield* Effect.sync(() => mkdirSync(target, { recursive: true, mode: 0o711 }))
  yield* Console.error("restoring the files")
  yield* spoken(
    restic.restore({
      snapshot: snapshot.id,
      target,
      include,
      exclude: omitted === undefined ? [] : [`/${backupFolder}`]
    })
  )
  const inner = join(target, backupFolder)
  if (existsSync(join(inner, "manifest.json"))) {
    const manifest = yield* spoken(readManifest(target))
    if (manifest.database?.form === "physical" && existsSync(join(inner, "postgres"))) {
      renameSync(join(inner, "postgres"), join(target, "postgres"))
      chmodSync(join(target, "postgres"), 0o711)
    }
    if (manifest.database?.form === "dump" && into !== undefined) {
      yield* Console.error("loading the dump")
      yield* spoken(load(join(inner, "databases"), into, Option.isSome(flags.table) ? [flags.table.value] : []))
    }
  }
  const took = (yield* Clock.currentTimeMillis) - began
  yield* print(flags.json, { ...plan, duration_ms: took }, () => [
    `restored in ${duration(took)}`,
    ...(existsSync(join(target, "postgres", "data"))
      ? [`SIGNALBOX_DATA_DIR=${target} starts the embedded Postgres with it; put the key file there as ${target}/keys`]
      : [])
  ])
})

/** Paths of the snapshot; empty: everything. */
const includeOf = ({ only, path }: Flags): ReadonlyArray<string> => {
  if (Option.isSome(path)) return [path.value]
  if (Option.isSome(only) && only.value === "databases") return [`/${backupFolder}`]
  return []
}

/** The database of `--into-database`. Fails unless it is empty. */
const databaseOf = Effect.fnUntraced(function* (variable: Option.Option<string>) {
  if (Option.isNone(variable)) return undefined
  const url = (yield* Environment)[variable.value]
  if (url === undefined) return yield* fail(`The variable ${variable.value} is not set.`, exitUsage)
  const parsed = parse(url)
  if (Result.isFailure(parsed)) return yield* fail(parsed.failure.message, exitUsage)
  const target = parsed.success
  const tables = yield* spoken(
    Effect.scoped(
      Effect.gen(function* () {
        const session = yield* PgConnection.make({ ...toSqlPg(target), applicationName: "signalbox restore" })
        return (yield* session.query(
          `select 1 from pg_class c join pg_namespace n on n.oid = c.relnamespace
             where c.relkind in ('r', 'p', 'v') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema' limit 1`
        )).rows.length
      })
    )
  )
  if (tables > 0)
    return yield* fail(`The database ${target.database} has tables. Nothing is overwritten: create an empty database.`)
  return target
})
