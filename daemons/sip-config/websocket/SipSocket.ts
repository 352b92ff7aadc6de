/** SIP over WebSocket as a service of the daemon: the proxy, the actor that looks after its connections, and their end. */
import { Context, Effect, Layer } from "effect"
import type { Component } from "#core/daemon/Health.ts"
import type { UpgradeListener } from "#core/http/Listener.ts"
import { Actor, type ActorSpec } from "#core/supervision/Supervisor.ts"
import { AbuseReport } from "./AbuseReport.ts"
import { bounds, lookEvery } from "./Bounds.ts"
import * as SipProxy from "./SipProxy.ts"

export class SipSocket extends Context.Service<
  SipSocket,
  { readonly upgrade: UpgradeListener; readonly actor: ActorSpec<never>; readonly component: () => Component }
>()("signalbox/sip-config/SipSocket") {}

export const layer = (
  options: Pick<SipProxy.SipProxyOptions, "switchUrl" | "origins">
): Layer.Layer<SipSocket, never, AbuseReport> =>
  Layer.effect(
    SipSocket,
    Effect.gen(function* () {
      const { offend } = yield* AbuseReport
      const run = Effect.runForkWith(yield* Effect.context<never>())
      const proxy = SipProxy.make({ ...options, bounds, offend, note: (text) => void run(Effect.logWarning(text)) })
      yield* Effect.addFinalizer(() => Effect.sync(proxy.close))
      return SipSocket.of({
        upgrade: proxy.upgrade,
        component: proxy.component,
        actor: {
          name: "sip websocket upkeep",
          run: Effect.gen(function* () {
            const actor = yield* Actor
            while (true) {
              yield* actor.progress
              yield* Effect.sleep(lookEvery)
              proxy.look(Date.now())
            }
          })
        }
      })
    })
  )
