import { Context, Effect, Layer } from "effect"
import * as Throttle from "./Throttle.ts"
import type { ChannelConfig } from "../Settings.ts"

/** The throttles of the channels. Every message and call of a channel passes its throttle. */
export class ChannelThrottles extends Context.Service<
  ChannelThrottles,
  { readonly call: Throttle.Throttle; readonly messenger: Throttle.Throttle; readonly webhook: Throttle.Throttle }
>()("signalbox/comm-dispatcher/ChannelThrottles") {}

export const layer = (config: ChannelConfig): Layer.Layer<ChannelThrottles> =>
  Layer.effect(
    ChannelThrottles,
    Effect.all({
      call: Throttle.make(Throttle.callThrottle),
      messenger: Throttle.make(Throttle.messengerThrottle(config.messengerRate)),
      webhook: Throttle.make(Throttle.webhookThrottle(config.webhookRate))
    })
  )
