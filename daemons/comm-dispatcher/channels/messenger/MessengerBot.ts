import { Context, Effect, Layer } from "effect"
import { BotApi } from "#protocols/bot-api/BotApi.ts"
import type { ChannelConfig } from "../Settings.ts"
import { ChannelThrottles } from "../limits/ChannelThrottles.ts"
import { paced } from "./PacedBotApi.ts"

/** The bot API behind the messenger's throttle; `api` is undefined without a token. */
export class MessengerBot extends Context.Service<MessengerBot, { readonly api: BotApi["Service"] | undefined }>()(
  "signalbox/comm-dispatcher/MessengerBot"
) {}

export const layer = ({
  messengerToken,
  messengerUrl
}: ChannelConfig): Layer.Layer<MessengerBot, never, ChannelThrottles> =>
  Layer.effect(
    MessengerBot,
    Effect.gen(function* () {
      if (messengerToken === undefined) return { api: undefined }
      const { messenger } = yield* ChannelThrottles
      const bot = yield* Layer.build(
        BotApi.layer({ token: messengerToken, ...(messengerUrl === undefined ? {} : { baseUrl: messengerUrl }) })
      )
      return { api: paced(Context.get(bot, BotApi), messenger) }
    })
  )
