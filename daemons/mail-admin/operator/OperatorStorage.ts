/** Database of the commands about mail. They need no running daemon. */
import { Effect, Layer } from "effect"
import { Caller, operatorCaller } from "#core/auth/Caller.ts"
import { inWords } from "#core/cli/Refusals.ts"
import { withStorage } from "#core/cli/Storage.ts"
import * as Incarnation from "#core/cluster/Incarnation.ts"
import * as Events from "#core/events/Events.ts"
import * as Wake from "#core/events/Wake.ts"
import * as Jobs from "#core/jobs/Jobs.ts"
import * as Migrations from "#core/sql/Migrations.ts"
import { transaction } from "#core/sql/Sql.ts"
import { mailAdmin } from "../Daemon.ts"
import { SessionCuts } from "../session-cuts/Exports.ts"

/** What changes that emit events need. */
export const announcing = Layer.mergeAll(Events.layer, Wake.layer).pipe(
  Layer.provideMerge(Incarnation.layer(["operator"])),
  Layer.provideMerge(Wake.layer)
)

export const inStorage = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  withStorage(Effect.andThen(Migrations.run(mailAdmin.migrations), transaction(effect)))

/** Events, and the jobs that end sessions. A running daemon carries them out. */
const services = SessionCuts.sender.pipe(
  Layer.provide(Jobs.layer([SessionCuts.CutSessions.queue])),
  Layer.provideMerge(announcing)
)

/** Runs `use` in one transaction as the operator of this machine. Refusals become sentences. */
export const changing = <A, E extends { readonly _tag: string }, R>(use: Effect.Effect<A, E, R>) =>
  inStorage(inWords(use).pipe(Effect.provideService(Caller, operatorCaller), Effect.provide(services)))
