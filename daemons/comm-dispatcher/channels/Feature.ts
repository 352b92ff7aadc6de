import { Effect, Layer } from "effect"
import { MessengerCode } from "#core/contracts/Messenger.ts"
import * as Feature from "#core/daemon/Feature.ts"
import { Health } from "#core/daemon/Health.ts"
import { Lane } from "#core/lane/Lane.ts"
import { liveSettings } from "#core/settings/LiveSettings.ts"
import { speechPath, SpeechUrls } from "#core/speech/SpeechUrl.ts"
import { Supervisor } from "#core/supervision/Supervisor.ts"
import { channelComponents } from "./health/ChannelComponents.ts"
import { recoveryProbe } from "./health/RecoveryProbe.ts"
import { codeMessages } from "./messenger/CodeMessages.ts"
import { channelServices } from "./Services.ts"
import { channelSettings } from "./Settings.ts"

export const channelsFeature = Feature.make({
  settings: channelSettings,
  queues: [MessengerCode],
  // The telephone switch has no token: its addresses carry a signature that expires.
  routes: [{ prefix: speechPath }],
  layer: Layer.effectDiscard(
    Effect.gen(function* () {
      yield* Supervisor.actor(recoveryProbe)
      yield* codeMessages
      yield* Health.components(channelComponents(yield* liveSettings(channelSettings)))
      const { lane } = yield* SpeechUrls
      yield* Lane.handleAll(lane)
    })
  ).pipe(Layer.provide(channelServices))
})
