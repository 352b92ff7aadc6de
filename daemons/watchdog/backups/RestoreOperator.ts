/**
 * The command `signalbox backup restore`: shows a plan, and restores into a folder that is new or empty. A dump goes
 * into a database that has no tables. Nothing that lives is overwritten.
 */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { Clock, Console, Effect, Option } from "effect"
import { exitUsage, fail } from "#core/cli/Ending.ts"
import { print } from "#core/cli/Output.ts"
import { settings } from "#core/config/Environment.ts"
import { socketTarget } from "#core/postgres/Bootstrap.ts"
import { start } from "#core/postgres/EmbeddedPostgres.ts"
import { ownerRole, superuserRole } from "#core/postgres/ServerAccess.ts"
import * as Restic from "./engine/Restic.ts"
import { manifestPath, newest, readManifest } from "./jobs/DrillRun.ts"
import { durationText, sizeText } from "#core/words/Amounts.ts"
import * as DumpLoad from "./parts/DumpLoad.ts"
import { backupFolder } from "./parts/Manifest.ts"
import { requireRoom } from "./parts/Staging.ts"
import { furtherFolder } from "./parts/FurtherDatabases.ts"
import { emptyDatabase, prepareOwner } from "./RestoreTarget.ts"
import { backupSettings } from "./Settings.ts"

interface Flags {
  readonly snapshot: string
  readonly target: string
  readonly only: Option.Option<"databases" | "files">
  readonly path: Option.Option<string>
  /** Variable with the URL of the database to load into. */
  readonly into: Option.Option<string>
  /** Further database of the backup whose dump is loaded. */
  readonly database: Option.Option<string>
  readonly table: Option.Option<string>
  readonly yes: boolean
  readonly json: boolean
}

/** Every failure as a sentence. */
const spoken = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.mapError(effect, (error) => fail((error as { readonly message: string }).message))

export const restore = Effect.fnUntraced(function* (flags: Flags) {
  // A cache below the data directory would fill the folder that this command wants to be empty.
  const restic = Restic.make(yield* settings(backupSettings), "none")
  const target = resolve(flags.target)
  if (existsSync(target) && readdirSync(target).length > 0)
    return yield* fail(`${target} is not empty. Nothing is overwritten: choose a new folder.`, exitUsage)
  for (const name of ["table", "database"] as const)
    if (Option.isSome(flags[name]) && Option.isNone(flags.into))
      return yield* fail(`--${name} needs --into-database, which names the database to load it into.`, exitUsage)
  const snapshots = yield* spoken(restic.snapshots)
  const snapshot =
    flags.snapshot === "latest"
      ? newest(snapshots)
      : snapshots.find(({ id }) => flags.snapshot.length >= 4 && id.startsWith(flags.snapshot))
  if (snapshot === undefined) return yield* fail(`The repository has no backup ${flags.snapshot}.`)
  const into = Option.isSome(flags.into) ? yield* emptyDatabase(flags.into.value) : undefined
  const chosen = choice(flags)
  const found = yield* contents(restic, snapshot.id, chosen)
  if (found.files === 0) return yield* fail("The backup has nothing of what was chosen.")
  const loaded = into === undefined ? undefined : yield* chosenDump(restic, snapshot.id, flags)
  if (loaded !== undefined && !found.dump)
    return yield* fail("What was chosen of the backup contains no dump of a database.", exitUsage)
  const plan = {
    snapshot: snapshot.id,
    time: new Date(snapshot.time).toISOString(),
    target,
    size: found.size,
    files: found.files,
    into_database: into?.database ?? null,
    table: Option.getOrNull(flags.table),
    carried_out: flags.yes
  }
  if (!flags.json || !flags.yes)
    yield* print(flags.json, plan, () => [
      `backup ${snapshot.short_id} of ${plan.time}`,
      `restores ${plan.files} files, ${sizeText(plan.size)}, into ${target}`,
      ...(into === undefined
        ? []
        : [`loads ${plan.table ?? "the dump"} of ${loaded!.name} into the database ${into.database} at ${into.host}`]),
      ...(flags.yes ? [] : ["This is the plan. --yes carries it out."])
    ])
  if (!flags.yes) return
  yield* spoken(requireRoom(existing(target), found.size))
  const began = yield* Clock.currentTimeMillis
  // Roles are missing before the files are restored, or never.
  const role = into === undefined || loaded?.further === true ? undefined : yield* spoken(prepareOwner(into))
  yield* Effect.sync(() => mkdirSync(target, { recursive: true, mode: 0o711 }))
  yield* Console.error("restoring the files")
  yield* spoken(restic.restore({ snapshot: snapshot.id, target, ...chosen }))
  const inner = join(target, backupFolder)
  if (existsSync(join(inner, "postgres"))) {
    renameSync(join(inner, "postgres"), join(target, "postgres"))
    chmodSync(join(target, "postgres"), 0o711)
  }
  if (into !== undefined && loaded !== undefined) {
    yield* Console.error("loading the dump")
    const dump = join(inner, loaded.path)
    yield* spoken(DumpLoad.load({ dump, target: into, table: Option.getOrUndefined(flags.table), role }))
  } else if (existsSync(join(inner, "manifest.json")) && existsSync(join(inner, "databases"))) {
    const { database } = yield* spoken(readManifest(target))
    if (database?.embedded === true) {
      yield* Console.error("loading the dump into a new embedded Postgres")
      yield* spoken(loadEmbedded(inner, target))
    }
  }
  const took = (yield* Clock.currentTimeMillis) - began
  yield* print(flags.json, { ...plan, duration_ms: took }, () => [
    `restored in ${durationText(took)}`,
    ...(existsSync(join(target, "postgres", "data"))
      ? [`SIGNALBOX_DATA_DIR=${target} starts the embedded Postgres with it; put the key file there as ${target}/keys`]
      : [])
  ])
})

/** Paths of the snapshot for restic; both empty: everything. restic takes one of both lists. */
const choice = ({ only, path }: Flags): { readonly include: Array<string>; readonly exclude: Array<string> } => {
  if (Option.isSome(path)) return { include: [path.value.replace(/(?<=.)\/+$/, "")], exclude: [] }
  if (Option.isNone(only)) return { include: [], exclude: [] }
  return only.value === "databases"
    ? { include: [`/${backupFolder}`], exclude: [] }
    : { include: [], exclude: [`/${backupFolder}`] }
}

/** Size of what is chosen, and whether it has dumps. */
const contents = Effect.fnUntraced(function* (
  restic: Restic.Restic,
  snapshot: string,
  { exclude, include }: ReturnType<typeof choice>
) {
  const found = { size: 0, files: 0, dump: false }
  const within = (path: string, folders: ReadonlyArray<string>) =>
    folders.some((folder) => path === folder || path.startsWith(`${folder}/`))
  yield* spoken(
    restic.list(snapshot, ({ path, size, type }) => {
      if (type !== "file" || within(path, exclude) || (include.length > 0 && !within(path, include))) return
      found.size += size
      found.files++
      found.dump ||= path.startsWith(`/${backupFolder}/`) && path.endsWith("/toc.dat")
    })
  )
  return found
})

interface ChosenDump {
  /** Path below the folder of the backup. */
  readonly path: string
  readonly name: string
  /** Whether it is not of the suite's own database. */
  readonly further: boolean
}

/** The dump that `--database` and `--table` mean, by the manifest. pg_restore says nothing about a missing table. */
const chosenDump = (restic: Restic.Restic, snapshot: string, { database, table }: Flags) =>
  Effect.scoped(
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      yield* spoken(restic.restore({ snapshot, target: folder, include: [manifestPath] }))
      const manifest = yield* spoken(readManifest(folder))
      const further = manifest.further ?? []
      const wanted = Option.getOrUndefined(database)
      const other = further.find((one) => [one.database.database, one.folder].includes(wanted ?? ""))
      if (wanted !== undefined && other === undefined)
        return yield* fail(
          `The backup has no further database ${wanted}. ` +
            `It has: ${further.map((one) => one.folder).join(", ") || "none"}.`,
          exitUsage
        )
      const found = other?.database ?? manifest.database
      if (found === null) return yield* fail("The backup contains no dump of a database.", exitUsage)
      if (found.form === "physical") return yield* fail(physicalCopy, exitUsage)
      const names = found.tables.map((one) => one.table)
      if (Option.isSome(table) && !names.includes(table.value)) {
        const alike = similar(names, table.value).join(", ") || "none"
        return yield* fail(`The dump has no table ${table.value}. Similar: ${alike}.`, exitUsage)
      }
      return {
        path: other === undefined ? join("databases", found.database) : join(furtherFolder, other.folder),
        name: found.database,
        further: other !== undefined
      } satisfies ChosenDump as ChosenDump
    })
  )

const physicalCopy =
  "This backup is a copy of the files of the embedded server, which no other database can load. Restore it into a " +
  "folder, start the suite there, and take single tables out of that database."

const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "signalbox-restore-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

const similar = (names: ReadonlyArray<string>, wanted: string): ReadonlyArray<string> => {
  const name = wanted.slice(wanted.lastIndexOf(".") + 1)
  return names.filter((one) => one.includes(name)).slice(0, 5)
}

/** Makes the data directory of a suite with an embedded server out of the dump of one. */
const loadEmbedded = (inner: string, target: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const server = yield* start({ dataDir: target })
      yield* DumpLoad.ensureMailRole(socketTarget(server.socketDir, superuserRole, server.database))
      yield* DumpLoad.load({
        dump: yield* DumpLoad.dumpIn(inner),
        target: socketTarget(server.socketDir, ownerRole, server.database)
      })
    })
  )

/** The nearest folder above that exists. */
const existing = (path: string): string => (existsSync(path) ? path : existing(dirname(path)))
