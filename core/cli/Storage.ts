/**
 * The database for a command that comes and goes: adopts the embedded server when one runs, else starts it for the
 * command's own time. Schema `core` is brought up to date first, so that a command works before anything ever ran.
 */
import { Effect, Layer } from "effect"
import { coreMigrations } from "../sql/CoreSchema.ts"
import * as Migrations from "../sql/Migrations.ts"
import * as Sql from "../sql/Sql.ts"
import { database } from "../daemon/Suite.ts"

/** Runs `use` with the database, and lets go of it. */
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
