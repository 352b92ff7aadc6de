/** Database access for the commands of texts. */
import { Effect, Layer } from "effect"
import { fail } from "#core/cli/Ending.ts"
import { withStorage } from "#core/cli/Storage.ts"
import * as Incarnation from "#core/cluster/Incarnation.ts"
import * as Events from "#core/events/Events.ts"
import * as Wake from "#core/events/Wake.ts"
import * as Jobs from "#core/jobs/Jobs.ts"
import * as Migrations from "#core/sql/Migrations.ts"
import { transaction } from "#core/sql/Sql.ts"
import { localization } from "./Daemon.ts"

/** Uses the database of the daemon. */
export const withTexts = <A, E, R>(use: Effect.Effect<A, E, R>) => {
  const services = Layer.merge(Events.layer, Jobs.layer(localization.queues)).pipe(
    Layer.provideMerge(Incarnation.layer(["operator"])),
    Layer.provideMerge(Wake.layer)
  )
  return withStorage(Effect.andThen(Migrations.run(localization.migrations), Effect.provide(use, services)))
}

/** Uses the database in one transaction. */
export const inOneTransaction = <A, E, R>(use: Effect.Effect<A, E, R>) => withTexts(transaction(use))

/** A refusal of the API as a sentence for the operator. */
export const told = (error: { readonly title?: string; readonly detail?: string }) =>
  fail(error.detail ?? error.title ?? "The request was refused.")
