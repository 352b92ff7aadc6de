/** Database access for the commands of wake words. */
import { Effect, Layer } from "effect"
import { fail } from "#core/cli/Ending.ts"
import { withStorage } from "#core/cli/Storage.ts"
import * as Incarnation from "#core/cluster/Incarnation.ts"
import * as Events from "#core/events/Events.ts"
import * as Wake from "#core/events/Wake.ts"
import * as Migrations from "#core/sql/Migrations.ts"
import { transaction } from "#core/sql/Sql.ts"
import { wakeWord } from "./Daemon.ts"

/** Uses the database of the daemon. */
export const withWakeWords = <A, E, R>(use: Effect.Effect<A, E, R>) => {
  const services = Events.layer.pipe(
    Layer.provideMerge(Incarnation.layer(["operator"])),
    Layer.provideMerge(Wake.layer)
  )
  return withStorage(Effect.andThen(Migrations.run(wakeWord.migrations), Effect.provide(use, services)))
}

/** Uses the database in one transaction. */
export const inOneTransaction = <A, E, R>(use: Effect.Effect<A, E, R>) => withWakeWords(transaction(use))

/** A refusal of the API as a sentence for the operator. */
export const told = (error: { readonly title?: string; readonly detail?: string }) =>
  fail(error.detail ?? error.title ?? "The request was refused.")
