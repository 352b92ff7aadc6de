/** Settings of the channels. */
import { messengerToken, messengerUrl } from "#core/config/MessengerSettings.ts"
import { cidrProblem, platformSettings } from "#core/config/PlatformSettings.ts"
import * as Settings from "#core/config/Settings.ts"
import { publicUrl } from "#core/http/PublicBase.ts"
import { stored } from "#core/settings/StoredSetting.ts"
import { speechSettings } from "#core/speech/SpeechSettings.ts"
import { callSettings } from "./call/CallSettings.ts"
import { webhookSecretSettings } from "../webhook-secrets/Exports.ts"
import { messagesPerSecond, webhooksPerHostSecond } from "./limits/ChannelLimits.ts"

export const channelSettings = {
  redisUrl: platformSettings.redisUrl,
  publicUrl,
  webhookAllow: stored(
    Settings.list("SIGNALBOX_WEBHOOK_ALLOW_CIDRS", {
      doc:
        "Private networks that webhooks of service tokens, of alarm mails and of operators may reach; those of users " +
        "may not",
      default: [],
      check: cidrProblem
    }),
    {
      group: "webhooks",
      title: { en: "Private networks for webhooks", de: "Private Netze für Webhooks" },
      help: {
        en:
          "Private networks that webhooks of alarm mails, service tokens and operators may reach, separated by " +
          "commas, such as 10.0.0.0/8. Webhooks of users may not.",
        de:
          "Private Netze, die Webhooks von Alarm-Mails, Dienst-Tokens und Betreibern erreichen dürfen, durch Kommas " +
          "getrennt, zum Beispiel 10.0.0.0/8. Webhooks von Benutzern dürfen es nicht."
      }
    }
  ),
  ...webhookSecretSettings,
  webhookRate: Settings.integer("SIGNALBOX_WEBHOOK_RATE", {
    doc: "Limit of webhooks to one host",
    unit: "requests a second",
    default: webhooksPerHostSecond,
    min: 1,
    max: 10_000
  }),
  messengerUrl,
  messengerToken,
  messengerRate: Settings.integer("SIGNALBOX_MESSENGER_RATE", {
    doc: "Limit of messages to all chats together; the bot API allows this rate",
    unit: "messages a second",
    default: messagesPerSecond,
    min: 1,
    max: 10_000
  }),
  ...callSettings,
  ...speechSettings
}

/** Without the settings that change while the process runs. */
export type ChannelConfig = Omit<Settings.Values<typeof channelSettings>, "webhookAllow" | "publicUrl">
