/** A Postgres for a trial restore, in a folder of its own, reached by its socket only. Ends with the scope. */
import { chmodSync, renameSync } from "node:fs"
import { join } from "node:path"
import { PgConnection } from "@effect/sql-pg"
import { Effect } from "effect"
import { socketTarget } from "#core/postgres/Bootstrap.ts"
import { type ConnectionTarget, toSqlPg } from "#core/postgres/ConnectionTarget.ts"
import { start } from "#core/postgres/EmbeddedPostgres.ts"
import { ownerRole, superuserRole } from "#core/postgres/ServerAccess.ts"
import * as DumpLoad from "../parts/DumpLoad.ts"
import { backupFolder, type DatabaseManifest } from "../parts/Manifest.ts"
import { StagingFailed, wordsOf } from "../parts/Staging.ts"

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
    const admin = socketTarget(server.socketDir, superuserRole, "postgres")
    yield* DumpLoad.ensureMailRole(admin)
    yield* createDatabase(admin, "drill")
    yield* DumpLoad.load({ dump: yield* DumpLoad.dumpIn(inner), target })
    return target
  })

/** Creates an empty database. */
const createDatabase = (admin: ConnectionTarget, name: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const session = yield* PgConnection.make({ ...toSqlPg(admin), applicationName: "signalbox drill" })
      yield* session.query(`create database "${name}" owner ${ownerRole}`)
    })
  )

const io = <A>(work: () => A) =>
  Effect.try({ try: work, catch: (error) => new StagingFailed({ message: wordsOf(error) }) })
