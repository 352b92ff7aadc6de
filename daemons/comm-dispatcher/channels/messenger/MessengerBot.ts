import { Context, Effect, Layer } from "effect"
import { BotApi } from "#protocols/bot-api/BotApi.ts"
import type { CommConfig } from "../../Config.ts"
import { Gates } from "../limits/ChannelThrottles.ts"
import { paced } from "./PacedBotApi.ts"

/** The bot at the pace of the messenger's gate; `api` is undefined where no token is configured. */
export class MessengerBot extends Context.Service<MessengerBot, { readonly api: BotApi["Service"] | undefined }>()(
  "signalbox/comm-dispatcher/MessengerBot"
) {}

export const layer = ({ messengerToken, messengerUrl }: CommConfig): Layer.Layer<MessengerBot, never, Gates> =>
  Layer.effect(
    MessengerBot,
    Effect.gen(function* () {
      if (messengerToken === undefined) return { api: undefined }
      const { messenger } = yield* Gates
      const bot = yield* Layer.build(
        BotApi.layer({ token: messengerToken, ...(messengerUrl === undefined ? {} : { baseUrl: messengerUrl }) })
      )
      return { api: paced(Context.get(bot, BotApi), messenger) }
    })
  )
