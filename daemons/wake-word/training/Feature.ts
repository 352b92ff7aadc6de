import { Duration, Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { liveSettings } from "#core/settings/LiveSettings.ts"
import * as Feature from "#core/daemon/Feature.ts"
import { Health } from "#core/daemon/Health.ts"
import { hasProgram } from "#core/speech/BoundedProgram.ts"
import { transaction } from "#core/sql/Sql.ts"
import { periodic } from "#core/supervision/Periodic.ts"
import { Supervisor } from "#core/supervision/Supervisor.ts"
import { extractorConflicts } from "../engine/Exports.ts"
import { TrainingApi } from "./Api.ts"
import { training as handlers } from "./Handlers.ts"
import { training as tables } from "./migrations/0021_training.ts"
import { runner } from "./Runner.ts"
import * as Store from "./Store.ts"
import { trainingSettings } from "./TrainingSettings.ts"

/** Interval of deletions of old trainings. */
const sweepEvery = Duration.hours(6)

const work = Layer.effectDiscard(
  Effect.gen(function* () {
    yield* Supervisor.actor(runner(yield* liveSettings(trainingSettings)))
    yield* Supervisor.actor(
      periodic({
        name: "old wake word trainings",
        every: sweepEvery,
        round: Effect.map(transaction(Store.prune), (gone) => `${gone.length} deleted`)
      })
    )
    yield* Health.component(
      "training",
      Effect.sync(() =>
        hasProgram("espeak-ng")
          ? { status: "ok" as const }
          : { status: "unconfigured" as const, detail: "espeak-ng is not installed: apt install espeak-ng" }
      )
    )
  })
)

/** Trains models for words, from synthetic speech and recordings of people. */
export const training = Feature.make({
  settings: trainingSettings,
  conflicts: extractorConflicts,
  migrations: [tables],
  api: TrainingApi,
  layer: Layer.merge(HttpApiBuilder.layer(TrainingApi).pipe(Layer.provide(handlers)), work)
})
