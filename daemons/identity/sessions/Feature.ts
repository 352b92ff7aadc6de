import { Layer } from "effect"
import * as Feature from "#core/daemon/Feature.ts"
import { Supervisor } from "#core/supervision/Supervisor.ts"
import { throttle } from "./Layers.ts"
import { sessions as sessionTables } from "./migrations/0002_sessions.ts"
import { sweepActor } from "./SessionSweep.ts"
import { sessionSettings } from "./Settings.ts"

/** Sessions, sign-in links and the throttle of credential attempts. */
export const sessions = Feature.make({
  settings: sessionSettings,
  migrations: [sessionTables],
  layer: Layer.effectDiscard(Supervisor.actor(sweepActor)).pipe(Layer.provide(throttle))
})
