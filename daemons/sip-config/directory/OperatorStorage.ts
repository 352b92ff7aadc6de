/** Database of the commands of `signalbox sip`. */
import { Effect, Layer } from "effect"
import { withStorage } from "#core/cli/Storage.ts"
import * as Incarnation from "#core/cluster/Incarnation.ts"
import * as Events from "#core/events/Events.ts"
import * as Wake from "#core/events/Wake.ts"
import * as Migrations from "#core/sql/Migrations.ts"
import { transaction } from "#core/sql/Sql.ts"
import { sipConfig } from "../Daemon.ts"

/** Maximum number of rows shown. Reason: a screen of text. */
export const most = 1_000

/** What changes that emit events need. */
export const announcing = Layer.mergeAll(Events.layer, Wake.layer).pipe(
  Layer.provideMerge(Incarnation.layer(["operator"])),
  Layer.provideMerge(Wake.layer)
)

export const inStorage = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  withStorage(Effect.andThen(Migrations.run(sipConfig.migrations), transaction(effect)))
