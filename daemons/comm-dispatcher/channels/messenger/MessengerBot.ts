import { Context, Effect, Layer } from "effect"
import { rebuilt } from "#core/settings/LiveSettings.ts"
import { type BotApi, make as makeBot } from "#protocols/bot-api/BotApi.ts"
import type { ChannelConfig } from "../Settings.ts"
import { ChannelThrottles } from "../limits/ChannelThrottles.ts"
import { paced } from "./PacedBotApi.ts"

/** The bot API behind the messenger's throttle, with the present token; undefined without one. */
export class MessengerBot extends Context.Service<
  MessengerBot,
  { readonly api: () => BotApi["Service"] | undefined }
>()("signalbox/comm-dispatcher/MessengerBot") {}

/** `config` has present values. */
export const layer = (
  config: Pick<ChannelConfig, "messengerToken" | "messengerUrl">
): Layer.Layer<MessengerBot, never, ChannelThrottles> =>
  Layer.effect(
    MessengerBot,
    Effect.map(ChannelThrottles, ({ messenger }) =>
      MessengerBot.of({
        api: rebuilt(
          () => [config.messengerToken, config.messengerUrl],
          (token, baseUrl) =>
            token === undefined
              ? undefined
              : paced(makeBot({ token, ...(baseUrl === undefined ? {} : { baseUrl }) }), messenger)
        )
      })
    )
  )
