/**
 * Database access for a short-lived command: uses the embedded server when it is running, else starts it for the
 * duration of the command. Migrates schema `core` first, so that a command works on a new installation.
 */
import { Effect, Layer } from "effect"
import { coreMigrations } from "../sql/CoreSchema.ts"
import * as Migrations from "../sql/Migrations.ts"
import * as Sql from "../sql/Sql.ts"
import { database } from "../daemon/Suite.ts"

/** Runs `use` with a database connection and closes it afterwards. */
export const withStorage = <A, E, R>(use: Effect.Effect<A, E, R>) =>
  Effect.scoped(
    Effect.gen(function* () {
      const store = yield* database("signalbox operator")
      const storage = Sql.layer.pipe(
        Layer.tap((context) => Effect.provideContext(Migrations.run(coreMigrations), context)),
        Layer.provideMerge(store.layer)
      )
      return yield* Effect.provide(use, storage)
    })
  )
