/** Implementation of `signalbox migrate`. */
import { Effect, Layer } from "effect"
import { coreMigrations } from "../sql/CoreSchema.ts"
import * as Migrations from "../sql/Migrations.ts"
import * as Sql from "../sql/Sql.ts"
import { operatorDatabase } from "./Storage.ts"

export interface RanStep {
  readonly schema: string
  readonly id: number
  readonly name: string
}

/** Migrates schema `core`, then the schemas of the daemons. Returns the steps that ran. */
export const migrateAll = (daemons: ReadonlyArray<Migrations.Migrations>) =>
  Effect.scoped(
    Effect.gen(function* () {
      const store = yield* operatorDatabase({ creates: true })
      return yield* Effect.provide(
        Effect.map(
          Effect.forEach([coreMigrations, ...daemons], (migrations) =>
            Effect.map(Migrations.run(migrations), (steps): ReadonlyArray<RanStep> =>
              steps.map(({ id, name }) => ({ schema: migrations.schema, id, name }))
            )
          ),
          (steps) => steps.flat()
        ),
        Sql.layer.pipe(Layer.provideMerge(store.layer))
      )
    })
  )
