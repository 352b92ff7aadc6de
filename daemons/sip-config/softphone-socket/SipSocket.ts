/** Registers the WebSocket proxy: its upgrade path, its health component, and the actor that checks its connections. */
import { Effect, Layer } from "effect"
import { Health } from "#core/daemon/Health.ts"
import { Lane } from "#core/lane/Lane.ts"
import { Actor, Supervisor } from "#core/supervision/Supervisor.ts"
import { AbuseReport } from "./AbuseReport.ts"
import { bounds, lookEvery } from "./Bounds.ts"
import { sipPath } from "./Handshake.ts"
import * as SipProxy from "./SipProxy.ts"

export const layer = (options: Pick<SipProxy.SipProxyOptions, "switchUrl" | "origins">) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const { offend } = yield* AbuseReport
      const run = Effect.runForkWith(yield* Effect.context<never>())
      const proxy = SipProxy.make({ ...options, bounds, offend, note: (text) => void run(Effect.logWarning(text)) })
      yield* Effect.addFinalizer(() => Effect.sync(proxy.close))
      yield* Lane.upgrade(sipPath, proxy.upgrade)
      yield* Health.component("sip_websocket", Effect.sync(proxy.component))
      yield* Supervisor.actor({
        name: "sip websocket upkeep",
        run: Effect.gen(function* () {
          const actor = yield* Actor
          while (true) {
            yield* actor.progress
            yield* Effect.sleep(lookEvery)
            proxy.look(Date.now())
          }
        })
      })
    })
  )
