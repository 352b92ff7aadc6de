/**
 * Database access for a short-lived command: uses the embedded server when it is running, else starts it for the
 * duration of the command. Migrates schema `core` first, so that a command works on a new installation. Prints on
 * standard error which database and data directory the command uses.
 */
import { Console, Effect, Layer } from "effect"
import { resolve } from "node:path"
import { settings } from "../config/Environment.ts"
import { platformSettings } from "../config/PlatformSettings.ts"
import { type ConnectionTarget, isSocket } from "../postgres/ConnectionTarget.ts"
import { coreMigrations } from "../sql/CoreSchema.ts"
import * as Migrations from "../sql/Migrations.ts"
import * as Sql from "../sql/Sql.ts"
import { database } from "../daemon/Suite.ts"
import { EnvironmentFiles } from "./OperatorHost.ts"

/** The database of a command. */
export const operatorDatabase = Effect.gen(function* () {
  const { dataDir, databaseUrl } = yield* settings(platformSettings)
  const store = yield* Effect.tapError(database("signalbox operator"), () =>
    announce(undefined, dataDir, databaseUrl === undefined)
  )
  yield* announce(store.target, dataDir, store.keeper !== undefined)
  return store
})

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
      const store = yield* operatorDatabase
      const storage = Sql.layer.pipe(
        Layer.tap((context) => Effect.provideContext(Migrations.run(coreMigrations), context)),
        Layer.provideMerge(store.layer)
      )
      return yield* Effect.provide(use, storage)
    })
  )
