/** Settings of alarms. */
import { Result } from "effect"
import { alarmMinute } from "#core/config/AlarmSettings.ts"
import { adminChat, chatProblem, messengerToken } from "#core/config/MessengerSettings.ts"
import * as Settings from "#core/config/Settings.ts"
import { stored } from "#core/settings/StoredSetting.ts"
import { callSettings } from "../channels/Exports.ts"
import { notifySettings } from "../notifications/Exports.ts"
import { limitSettings } from "./limits/LimitSettings.ts"
import * as Fallbacks from "./run/Fallbacks.ts"
import { syntheticSettings } from "./synthetic/SyntheticAlarm.ts"
import * as SenderPolicy from "./trigger/SenderPolicy.ts"

/** The problem of one entry of an allow list. */
const listProblem =
  (list: "allowedSenders" | "allowedDomains") =>
  (item: string): string | undefined => {
    const made = SenderPolicy.make({ allowedSenders: [], allowedDomains: [], [list]: [item] })
    return Result.isFailure(made) ? made.failure.message : undefined
  }

/** The problem of the fallback rules. */
const fallbacksProblem = (text: string): string | undefined => {
  const made = Fallbacks.make(text)
  return Result.isFailure(made) ? made.failure : undefined
}

/** Who may raise alarms by mail. */
export const senderSettings = {
  allowedSenders: stored(
    Settings.list("SIGNALBOX_ALARM_ALLOWED_SENDERS", {
      doc: "Addresses whose mails may raise alarms (allowed_senders); with both lists empty no mail may",
      default: [],
      check: listProblem("allowedSenders")
    }),
    {
      group: "alarms",
      title: { en: "Allowed senders", de: "Erlaubte Absender" },
      help: {
        en: "Addresses whose mails may raise alarms, separated by commas, such as ops@example.org.",
        de: "Adressen, deren Mails Alarme auslösen dürfen, durch Kommas getrennt, zum Beispiel ops@example.org."
      }
    }
  ),
  allowedDomains: stored(
    Settings.list("SIGNALBOX_ALARM_ALLOWED_DOMAINS", {
      doc: "Domains whose mails may raise alarms (allowed_domains); *.example.org means all subdomains",
      default: [],
      check: listProblem("allowedDomains")
    }),
    {
      group: "alarms",
      title: { en: "Allowed sender domains", de: "Erlaubte Absender-Domains" },
      help: {
        en:
          "Domains whose mails may raise alarms, separated by commas, such as example.org. *.example.org means all " +
          "subdomains.",
        de:
          "Domains, deren Mails Alarme auslösen dürfen, durch Kommas getrennt, zum Beispiel example.org. " +
          "*.example.org steht für alle Subdomains."
      }
    }
  )
}

export const alarmSettings = {
  ...senderSettings,
  authservId: Settings.optionalText("SIGNALBOX_ALARM_AUTHSERV_ID", {
    doc:
      "Own mail server, as it writes itself in Authentication-Results: an alarm mail is then taken only if this " +
      "server says " +
      "that DKIM, SPF or DMARC passed for the sender's domain; unset: the header From is believed"
  }),
  alignment: Settings.oneOf("SIGNALBOX_ALARM_ALIGNMENT", {
    doc: "The authenticated domain needs the sender's organisational domain (relaxed) or must be the same (strict)",
    default: "relaxed",
    words: ["relaxed", "strict"]
  }),
  cooldown: Settings.integer("SIGNALBOX_ALARM_COOLDOWN", {
    doc: "An alarm with the same subject and sender within this time is a duplicate; 0 turns the check off",
    unit: "seconds",
    default: 600,
    min: 0,
    max: 7 * 24 * 3600
  }),
  dispatch: Settings.oneOf("SIGNALBOX_ALARM_DISPATCH", {
    doc: "Deliver to an alarm's targets in parallel, or one after the other in the order of the subject",
    default: "parallel",
    words: ["parallel", "sequential"]
  }),
  fallbacks: Settings.optionalText("SIGNALBOX_ALARM_FALLBACKS", {
    doc:
      'Fallbacks of targets that failed for good, as JSON: [{"for": "CALL", "fallback": ' +
      '["MESSENGER+42"]}]; for is a ' +
      "channel or one target; unset: no fallbacks",
    check: fallbacksProblem
  }),
  minute: alarmMinute,
  messengerToken,
  alarmLanguage: callSettings.alarmLanguage,
  adminChat,
  heartbeatChat: stored(
    Settings.optionalText("SIGNALBOX_HEARTBEAT_CHAT_ID", {
      doc: "Chat that test messages of POST /api/v1/comm/heartbeat go to; unset: heartbeats are answered 409",
      check: chatProblem
    }),
    {
      group: "messenger",
      title: { en: "Chat for test messages", de: "Chat für Testnachrichten" },
      help: {
        en: "Id of the chat that test messages go to, such as 4711 or @channel.",
        de: "Id des Chats, in den Testnachrichten gehen, zum Beispiel 4711 oder @channel."
      }
    }
  ),
  ...limitSettings,
  ...syntheticSettings,
  ...notifySettings
}

/** Without the lists of senders, which change while the process runs. */
export type AlarmConfig = Omit<Settings.Values<typeof alarmSettings>, keyof typeof senderSettings>
