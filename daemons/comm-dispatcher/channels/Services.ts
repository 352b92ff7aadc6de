/** The services that channels provide to other features: one instance each per daemon. */
import { Effect, Layer } from "effect"
import * as Cache from "#core/cache/Cache.ts"
import { OutboundHttp } from "#core/http/OutboundHttp.ts"
import { liveSettings } from "#core/settings/LiveSettings.ts"
import { Speech } from "#core/speech/Speech.ts"
import { SpeechUrls } from "#core/speech/SpeechUrl.ts"
import * as CallChannel from "./call/CallChannel.ts"
import * as Channels from "./ChannelsLive.ts"
import * as CommHealth from "./health/CommHealth.ts"
import * as ComponentProbes from "./health/ComponentProbes.ts"
import * as PeerHealth from "./health/PeerHealth.ts"
import * as ChannelThrottles from "./limits/ChannelThrottles.ts"
import * as MessengerBot from "./messenger/MessengerBot.ts"
import { webhookSecretsLayer } from "../webhook-secrets/Exports.ts"
import { channelSettings } from "./Settings.ts"

export const channelServices = Layer.unwrap(
  Effect.map(liveSettings(channelSettings), (config) =>
    Layer.mergeAll(Channels.layer(config), CommHealth.layer).pipe(
      Layer.provideMerge(Layer.mergeAll(ComponentProbes.layer(config), MessengerBot.layer(config))),
      Layer.provideMerge(ChannelThrottles.layer(config)),
      Layer.provideMerge(CallChannel.layer(config)),
      Layer.provideMerge(Layer.mergeAll(Speech.layer(config), SpeechUrls.layer(config))),
      Layer.provideMerge(Layer.mergeAll(Cache.layer, PeerHealth.layer, OutboundHttp.layer, webhookSecretsLayer(config)))
    )
  )
)
