/** Watches over the alarm path: its failures are mailed to the operators by the second path. */
import { Effect, Layer } from "effect"
import { Health } from "#core/daemon/Health.ts"
import { Jobs } from "#core/jobs/Jobs.ts"
import * as SecondPath from "#core/second-path/SecondPath.ts"
import { Supervisor } from "#core/supervision/Supervisor.ts"
import { make, type SyntheticConfig } from "../synthetic/SyntheticAlarm.ts"
import * as SyntheticSchedule from "../synthetic/SyntheticSchedule.ts"
import * as SyntheticWatch from "../synthetic/SyntheticWatch.ts"
import { undeliverableWatch } from "./UndeliverableWatch.ts"

export interface WatchConfig extends SyntheticConfig {
  /** Length of a minute. Unit: milliseconds. */
  readonly minute: number
}

export const alarmWatches = (config: WatchConfig) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const secondPath = yield* SecondPath.SecondPath
      yield* Supervisor.actor(secondPath.actor)
      yield* Health.component("second_path", secondPath.component)
      yield* Supervisor.actor(undeliverableWatch(config.minute))
      yield* Health.component("synthetic_alarm", SyntheticWatch.component)
      const alarm = make(config)
      if (alarm === undefined) return
      yield* Supervisor.actor(yield* SyntheticSchedule.schedule(alarm))
      yield* Jobs.worker(SyntheticSchedule.worker(alarm))
      yield* Supervisor.actor(SyntheticWatch.syntheticWatch(alarm, config.minute))
    })
  ).pipe(
    Layer.provide(
      Layer.merge(SecondPath.layer({ daemon: "comm-dispatcher", minute: config.minute }), SyntheticWatch.layer(config))
    )
  )
