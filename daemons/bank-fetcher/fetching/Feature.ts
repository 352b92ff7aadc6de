import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { settings } from "#core/config/Environment.ts"
import * as Feature from "#core/daemon/Feature.ts"
import { Health } from "#core/daemon/Health.ts"
import { Jobs } from "#core/jobs/Jobs.ts"
import { transaction } from "#core/sql/Sql.ts"
import { periodic } from "#core/supervision/Periodic.ts"
import { Supervisor } from "#core/supervision/Supervisor.ts"
import { Duration } from "effect"
import { bankConnections } from "../accounts/Exports.ts"
import { FetchWanted, ParseWanted } from "../bank-store/BankJobs.ts"
import { scheduleActors } from "./AccountSchedule.ts"
import { FetchingApi } from "./Api.ts"
import { AccountStates, health } from "./FetchHealth.ts"
import * as FetchStore from "./FetchStore.ts"
import { fetchWorker } from "./FetchWorker.ts"
import { fetches } from "./Handlers.ts"
import { fetching as tables } from "./migrations/0005_fetching.ts"
import { fetchSettings, hourConflict } from "./Settings.ts"

/** Interval of the deletion of old fetches. Reason: they are kept for a year, so a day more does no harm. */
const pruneInterval = Duration.hours(6)

const pruning = periodic({
  name: "old bank fetches",
  every: pruneInterval,
  round: Effect.map(transaction(FetchStore.prune), (gone) => `removed ${gone} fetches`)
})

const work = Layer.effectDiscard(
  Effect.gen(function* () {
    const config = yield* settings(fetchSettings)
    yield* Jobs.worker(fetchWorker(config))
    yield* Supervisor.actors(scheduleActors(config))
    yield* Supervisor.actor(pruning)
    yield* Health.components(health)
  })
).pipe(Layer.provide(AccountStates.layer))

/** Fetches statements on schedule and on request. */
export const fetching = Feature.make({
  settings: fetchSettings,
  conflicts: hourConflict,
  migrations: [tables],
  queues: [FetchWanted, ParseWanted],
  api: FetchingApi,
  layer: Layer.merge(HttpApiBuilder.layer(FetchingApi).pipe(Layer.provide(fetches)), work).pipe(
    Layer.provide(bankConnections)
  )
})
