/** What comm-dispatcher brings along to tell of the alarm path's own failures, for its declaration. */
import { Effect, Layer } from "effect"
import type { ConfigInvalid } from "#core/config/Environment.ts"
import type { Component } from "#core/daemon/Health.ts"
import type { Jobs } from "#core/jobs/Jobs.ts"
import * as SecondPath from "#core/second-path/SecondPath.ts"
import type { ActorSpec } from "#core/supervision/Supervisor.ts"
import type { SyntheticConfig } from "../synthetic/SyntheticAlarm.ts"
import { SyntheticDue, syntheticSchedule } from "../synthetic/SyntheticSchedule.ts"
import * as SyntheticWatch from "../synthetic/SyntheticWatch.ts"
import { undeliverableWatch } from "./UndeliverableWatch.ts"
import * as Undelivered from "./Undelivered.ts"

export interface PartsConfig extends SyntheticConfig {
  /** Unit: milliseconds. */
  readonly minute: number
}

export type Parts = SecondPath.SecondPath | Undelivered.Undelivered | SyntheticWatch.SyntheticSight

export const layer = (config: PartsConfig): Layer.Layer<Parts, ConfigInvalid> =>
  Layer.mergeAll(
    SecondPath.layer({ daemon: "comm-dispatcher", minute: config.minute }),
    Undelivered.layer,
    SyntheticWatch.layer(config)
  )

export const actors = (config: PartsConfig): Effect.Effect<ReadonlyArray<ActorSpec<any>>, never, Parts | Jobs> =>
  Effect.gen(function* () {
    const { actor } = yield* SecondPath.SecondPath
    const { alarm } = yield* SyntheticWatch.SyntheticSight
    const synthetic =
      alarm === undefined
        ? []
        : [...(yield* syntheticSchedule(alarm)), SyntheticWatch.syntheticWatch(alarm, config.minute)]
    return [actor, undeliverableWatch(config.minute), ...synthetic]
  })

export const components: Effect.Effect<
  { readonly second_path: Component; readonly synthetic_alarm: Component },
  never,
  Parts
> = Effect.all({
  second_path: Effect.flatMap(SecondPath.SecondPath, ({ component }) => component),
  synthetic_alarm: SyntheticWatch.component
})

/** The queue of the daily test alarm. */
export const queues: ReadonlyArray<string> = [SyntheticDue.queue]

export { conflicts } from "../synthetic/SyntheticAlarm.ts"
