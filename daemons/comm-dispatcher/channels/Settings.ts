/** Settings of the channels. */
import { messengerToken } from "#core/config/MessengerSettings.ts"
import { cidrProblem, platformSettings } from "#core/config/PlatformSettings.ts"
import * as Settings from "#core/config/Settings.ts"
import { speechSettings } from "#core/speech/SpeechSettings.ts"
import { callSettings } from "./call/CallSettings.ts"
import { messagesPerSecond, webhooksPerHostSecond } from "./limits/ChannelLimits.ts"

export const channelSettings = {
  redisUrl: platformSettings.redisUrl,
  webhookAllow: Settings.list("SIGNALBOX_WEBHOOK_ALLOW_CIDRS", {
    doc: "Private ranges that webhooks may dial",
    default: [],
    check: cidrProblem
  }),
  webhookSecret: Settings.secret("SIGNALBOX_WEBHOOK_SECRET", {
    doc: "Signs webhook bodies (X-Signalbox-Signature, HMAC-SHA256); unset: they are not signed"
  }),
  webhookRate: Settings.integer("SIGNALBOX_WEBHOOK_RATE", {
    doc: "Webhooks to one host at most",
    unit: "requests a second",
    default: webhooksPerHostSecond,
    min: 1,
    max: 10_000
  }),
  messengerUrl: Settings.httpAddress("SIGNALBOX_MESSENGER_URL", {
    doc: "Base address of the bot API; unset: the public one"
  }),
  messengerToken,
  messengerRate: Settings.integer("SIGNALBOX_MESSENGER_RATE", {
    doc: "Messages to all chats together at most; what the bot API allows",
    unit: "messages a second",
    default: messagesPerSecond,
    min: 1,
    max: 10_000
  }),
  ...callSettings,
  ...speechSettings
}

export type ChannelConfig = Settings.Values<typeof channelSettings>
