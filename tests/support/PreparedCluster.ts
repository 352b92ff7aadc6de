/**
 * Data directories in which initdb has run, for tests that need a Postgres of their own and do not test initdb. The
 * cluster is made once per test run and major version, in the folder of the run's server, which is deleted at the end.
 * A copy takes 0.1 s of processor time in memory, and on a busy disk as much as initdb, about a second.
 */
import { Effect } from "effect"
import { execFile } from "node:child_process"
import { existsSync, mkdirSync, renameSync } from "node:fs"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { socketTarget, withClient } from "#core/postgres/Bootstrap.ts"
import { start } from "#core/postgres/EmbeddedPostgres.ts"
import { layoutOf } from "#core/postgres/ServerLayout.ts"
import { socketVariable, temporaryDirectory } from "./Postgres.ts"

/** Data directory of the server of the test run. */
const runServer = (): string => {
  const socketDir = process.env[socketVariable]
  if (socketDir === undefined) throw new Error(`${socketVariable} is not set: run this under vitest`)
  return join(socketDir, "../..")
}

/**
 * A temporary directory where the test run keeps its databases: in memory when the machine has room. For clusters and
 * repositories, whose hundreds of files take much processor time on a disk. The end of the scope deletes it.
 */
export const databaseDirectory = (name?: string) => Effect.suspend(() => temporaryDirectory(name, dirname(runServer())))

/**
 * Puts a cluster with the roles and the database of the suite into a data directory that is empty. `major`: as for
 * `start`, which finds the version in the cluster afterwards.
 */
export const prepareCluster = Effect.fnUntraced(function* (dataDir: string, major?: number) {
  const folder = runServer()
  const name = `cluster-${major ?? "packaged"}`
  const made = join(folder, name)
  if (!existsSync(made))
    yield* Effect.orDie(
      withClient(socketTarget(layoutOf(folder).socketDir, "postgres", "postgres"), (sql) =>
        Effect.gen(function* () {
          // The client has one connection, so the lock lasts until its end. Other workers wait for it.
          yield* sql`select pg_advisory_lock(hashtext(${name}))`
          if (!existsSync(made)) yield* make(folder, made, major)
        })
      )
    )
  mkdirSync(join(dataDir, "postgres"), { mode: 0o711 })
  yield* Effect.promise(() => promisify(execFile)("cp", ["-a", made, join(dataDir, "postgres/data")]))
})

const make = (folder: string, made: string, major: number | undefined) =>
  Effect.scoped(
    Effect.gen(function* () {
      const dataDir = yield* temporaryDirectory("making", folder)
      yield* Effect.scoped(start({ dataDir, fsync: false, ...(major === undefined ? {} : { major }) }))
      renameSync(join(dataDir, "postgres/data"), made)
    })
  )

/** A data directory with a prepared cluster; the end of the scope deletes it. */
export const preparedDirectory = (name?: string, major?: number) =>
  Effect.tap(databaseDirectory(name), (dataDir) => prepareCluster(dataDir, major))
