import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { NotificationWanted } from "#core/contracts/Notifications.ts"
import * as Feature from "#core/daemon/Feature.ts"
import { Health } from "#core/daemon/Health.ts"
import { Supervisor } from "#core/supervision/Supervisor.ts"
import { PlanWanted } from "../domain-store/PlanRequests.ts"
import { platform } from "../domain-store/Platform.ts"
import { VerificationApi } from "./Api.ts"
import { checks } from "./Handlers.ts"
import { observer, sweep, verification as verificationLayer } from "./Layers.ts"
import { verificationSettings } from "./Settings.ts"
import { Sweep, sweepActors } from "./sweep/SweepShard.ts"

/** Asks DNS about every domain on a schedule and on request, and decides what each answer means. */
export const verification = Feature.make({
  settings: verificationSettings,
  queues: [PlanWanted, NotificationWanted],
  api: VerificationApi,
  layer: Layer.merge(
    HttpApiBuilder.layer(VerificationApi).pipe(Layer.provide(checks), Layer.provide([platform, verificationLayer])),
    Layer.effectDiscard(
      Effect.gen(function* () {
        const { state } = yield* Sweep
        yield* Supervisor.actors(sweepActors)
        yield* Health.component(
          "sweep",
          Effect.sync(() => state.component())
        )
      })
    )
  ).pipe(Layer.provide([observer, sweep]))
})
