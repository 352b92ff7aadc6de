/**
 * Database access for a short-lived command: uses the embedded server when it is running, else starts it for the
 * duration of the command. Prints on standard error which database and data directory the command uses. Only `migrate`
 * creates an embedded database; another command in the wrong directory would otherwise work on an empty one.
 */
import { Console, Effect, Layer } from "effect"
import { existsSync, realpathSync } from "node:fs"
import { join, resolve } from "node:path"
import { Environment, exitConfig, settings } from "../config/Environment.ts"
import { platformSettings } from "../config/PlatformSettings.ts"
import { type ConnectionTarget, isSocket } from "../postgres/ConnectionTarget.ts"
import { layoutOf } from "../postgres/ServerLayout.ts"
import { coreMigrations } from "../sql/CoreSchema.ts"
import * as Migrations from "../sql/Migrations.ts"
import * as Sql from "../sql/Sql.ts"
import { database } from "../daemon/Suite.ts"
import { fail } from "./Ending.ts"
import { EnvironmentFiles } from "./OperatorHost.ts"

/** The database of a command. `creates`: an embedded database that does not exist is created. */
export const operatorDatabase = Effect.fnUntraced(function* ({ creates }: { readonly creates: boolean }) {
  const { dataDir, databaseUrl } = yield* settings(platformSettings)
  const root = resolve(dataDir)
  if (!creates && databaseUrl === undefined && !hasDatabase(root)) {
    const { SIGNALBOX_DATA_DIR: given } = yield* Environment
    return yield* fail(noDatabase(root, given !== undefined && given !== "", yield* EnvironmentFiles), exitConfig)
  }
  const store = yield* Effect.tapError(database("signalbox operator"), () =>
    announce(undefined, dataDir, databaseUrl === undefined)
  )
  yield* announce(store.target, dataDir, store.keeper !== undefined)
  return store
})

/** Whether the data directory contains an embedded database. */
export const hasDatabase = (dataDir: string): boolean =>
  existsSync(dataDir) && existsSync(join(layoutOf(realpathSync(dataDir)).data, "PG_VERSION"))

/** What to do when there is no database. `isSet`: a variable names the directory. Pure. */
export const noDatabase = (dataDir: string, isSet: boolean, files: ReadonlyArray<string>): string =>
  `there is no database in ${dataDir}, the data directory by ` +
  (isSet
    ? `SIGNALBOX_DATA_DIR${files.length === 0 ? "" : ` (${files.join(", ")})`}`
    : "default (SIGNALBOX_DATA_DIR is not set)") +
  ". Set SIGNALBOX_DATA_DIR to the data directory of the running Signalbox, or DATABASE_URL to its database; " +
  "`bin/signalbox up` or `bin/signalbox migrate` creates a new one"

const announce = (target: ConnectionTarget | undefined, dataDir: string, embedded: boolean) =>
  Effect.flatMap(EnvironmentFiles, (files) =>
    Console.error(`signalbox: ${placeOf(target, resolve(dataDir), embedded, files)}`)
  )

/** Names the database and the data directory, without the password. Pure. */
export const placeOf = (
  target: ConnectionTarget | undefined,
  dataDir: string,
  embedded: boolean,
  files: ReadonlyArray<string>
): string =>
  (embedded
    ? "embedded Postgres"
    : target === undefined
      ? "the database of DATABASE_URL"
      : `database ${target.database} at ${target.host}${isSocket(target) ? "" : `:${target.port}`}`) +
  `, data directory ${dataDir}` +
  (files.length === 0 ? "" : `, by ${files.join(" and ")}`)

/** Runs `use` with a database connection and closes it afterwards. */
export const withStorage = <A, E, R>(use: Effect.Effect<A, E, R>) =>
  Effect.scoped(
    Effect.gen(function* () {
      const store = yield* operatorDatabase({ creates: false })
      const storage = Sql.layer.pipe(
        Layer.tap((context) => Effect.provideContext(Migrations.run(coreMigrations), context)),
        Layer.provideMerge(store.layer)
      )
      return yield* Effect.provide(use, storage)
    })
  )
