import { Context, Effect, Layer } from "effect"
import * as Gate from "./Throttle.ts"
import type { CommConfig } from "../../Config.ts"

/** The gates before the channels: each is passed by all that goes out by its channel. */
export class Gates extends Context.Service<
  Gates,
  { readonly call: Gate.Gate; readonly messenger: Gate.Gate; readonly webhook: Gate.Gate }
>()("signalbox/comm-dispatcher/Gates") {}

export const layer = (config: CommConfig): Layer.Layer<Gates> =>
  Layer.effect(
    Gates,
    Effect.all({
      call: Gate.make(Gate.callGate),
      messenger: Gate.make(Gate.messengerGate(config.messengerRate)),
      webhook: Gate.make(Gate.webhookGate(config.webhookRate))
    })
  )
