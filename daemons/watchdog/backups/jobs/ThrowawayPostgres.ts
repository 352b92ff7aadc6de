/** A Postgres for a trial restore, in a folder of its own, reached by its socket only. Ends with the scope. */
import { chmodSync, existsSync, readdirSync, renameSync } from "node:fs"
import { join } from "node:path"
import { PgConnection } from "@effect/sql-pg"
import { Effect } from "effect"
import { socketTarget } from "#core/postgres/Bootstrap.ts"
import { type ConnectionTarget, toSqlPg } from "#core/postgres/ConnectionTarget.ts"
import { start } from "#core/postgres/EmbeddedPostgres.ts"
import { mailServerRole, ownerRole, superuserRole } from "#core/postgres/ServerAccess.ts"
import { runProgram } from "../engine/Programs.ts"
import { libpqEnvironment } from "../parts/DatabaseDump.ts"
import * as DumpPrograms from "../parts/DumpPrograms.ts"
import { backupFolder, type DatabaseManifest } from "../parts/Manifest.ts"
import { StagingFailed } from "../parts/Staging.ts"

/** Connections of the server. Reason: one counts rows, pg_restore uses one, the bootstrap a few. */
const connections = 20

/** Starts a server with the restored database. `restored`: folder of a restored snapshot. Returns the target. */
export const make = (manifest: DatabaseManifest, restored: string, folder: string) =>
  Effect.gen(function* () {
    const inner = join(restored, backupFolder)
    if (manifest.form === "physical") {
      yield* io(() => renameSync(join(inner, "postgres"), join(folder, "postgres")))
      yield* io(() => chmodSync(join(folder, "postgres"), 0o711))
      const server = yield* start({ dataDir: folder, fsync: false, maxConnections: connections })
      return socketTarget(server.socketDir, superuserRole, manifest.database)
    }
    const server = yield* start({ dataDir: folder, fsync: false, maxConnections: connections })
    const target = socketTarget(server.socketDir, superuserRole, "drill")
    yield* createDatabase(socketTarget(server.socketDir, superuserRole, "postgres"), "drill")
    yield* load(join(inner, "databases"), target)
    return target
  })

/** Creates the roles that the dump names, and an empty database. */
const createDatabase = (admin: ConnectionTarget, name: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const session = yield* PgConnection.make({ ...toSqlPg(admin), applicationName: "signalbox drill" })
      const roles = yield* session.query(`select 1 from pg_roles where rolname = '${mailServerRole}'`)
      if (roles.rows.length === 0) yield* session.query(`create role ${mailServerRole} nologin`)
      yield* session.query(`create database "${name}" owner ${ownerRole}`)
    })
  )

/** Loads a dump into the database of `target`, which must be empty. `tables`: only these. */
export const load = (dumps: string, target: ConnectionTarget, tables: ReadonlyArray<string> = []) =>
  Effect.gen(function* () {
    const pgRestore = yield* DumpPrograms.find("pg_restore", 1)
    if (pgRestore === undefined)
      return yield* new StagingFailed({ message: "pg_restore is not installed (apt install postgresql-client)" })
    const [name] = yield* io(() => (existsSync(dumps) ? readdirSync(dumps) : []))
    if (name === undefined) return yield* new StagingFailed({ message: "the backup has no dump of a database" })
    yield* runProgram({
      program: pgRestore,
      args: [
        `--dbname=${target.database}`,
        "--exit-on-error",
        "--no-password",
        // Roles that exist only on the other machine own nothing here.
        "--no-owner",
        ...(tables.length === 0 ? [] : tables.flatMap(tableArguments)),
        join(dumps, name)
      ],
      env: libpqEnvironment(target)
    })
  })

/** `schema.table` as arguments of pg_restore. */
const tableArguments = (table: string): ReadonlyArray<string> => {
  const [schema = "", name] = table.split(".")
  return name === undefined ? ["--table", schema] : ["--schema", schema, "--table", name]
}

const io = <A>(work: () => A) =>
  Effect.try({
    try: work,
    catch: (error) => new StagingFailed({ message: error instanceof Error ? error.message : String(error) })
  })
