import { Result } from "effect"
import { alarmLanguage } from "#core/config/AlarmSettings.ts"
import { adminChat, chatProblem, messengerToken, messengerUrl } from "#core/config/MessengerSettings.ts"
import { platformSettings } from "#core/config/PlatformSettings.ts"
import * as Settings from "#core/config/Settings.ts"
import { noticeSettings } from "#core/second-path/NoticeSettings.ts"
import { stored } from "#core/settings/StoredSetting.ts"

/** An http or https address that may hold a secret. Problems quote nothing of it. */
const secretAddress = (name: string, options: { readonly doc: string }): ReturnType<typeof Settings.secret> => {
  const setting = Settings.secret(name, options)
  return {
    ...setting,
    parse: (raw) => {
      const protocol = URL.parse(raw.trim())?.protocol
      return protocol === "http:" || protocol === "https:"
        ? setting.parse(raw.trim())
        : Result.fail("must be an http or https address")
    }
  }
}

/** Length of a second in intervals and rules of all features. Time-outs and stored times do not depend on it. */
export const second = Settings.integer("SIGNALBOX_WATCHDOG_SECOND_MS", {
  doc: "Length of a second in intervals of checks, restarts, alerts, heartbeats; values other than 1000 are for tests",
  unit: "milliseconds",
  default: 1_000,
  min: 1,
  max: 1_000
})

export const alertSettings = {
  ...noticeSettings,
  dataDir: platformSettings.dataDir,
  messengerToken,
  messengerUrl,
  adminChat,
  language: alarmLanguage,
  chats: stored(
    Settings.list("SIGNALBOX_ALERT_CHATS", {
      doc: "Chats of the messenger that get alerts of the watchdog; empty: SIGNALBOX_ADMIN_CHAT_ID, if it is set",
      default: [],
      check: chatProblem
    }),
    {
      group: "messenger",
      title: { en: "Chats for alerts of the watchdog", de: "Chats für Meldungen des Watchdogs" },
      help: {
        en: "Ids of the chats, separated by commas, such as 4711 or @channel. Without any: the chat of the operators.",
        de: "Ids der Chats, durch Kommas getrennt, zum Beispiel 4711 oder @channel. Ohne: der Chat der Betreiber."
      }
    }
  ),
  webhook: secretAddress("SIGNALBOX_ALERT_WEBHOOK_URL", {
    doc: "Address that gets alerts of the watchdog as JSON by POST; unset: no webhook"
  }),
  alarmSubject: Settings.optionalText("SIGNALBOX_ALERT_ALARM_SUBJECT", {
    doc: "Subject of the alarm for critical alerts, such as CRITICAL:CALL+4930123456; unset: alerts raise no alarm"
  }),
  heartbeatUrl: secretAddress("SIGNALBOX_WATCHDOG_HEARTBEAT_URL", {
    doc:
      "Address that gets heartbeats by POST, of a monitoring service or of another host's watchdog " +
      "(https://host/api/v1/monitoring/heartbeats/NAME); unset: no heartbeats"
  }),
  heartbeatToken: Settings.secret("SIGNALBOX_WATCHDOG_HEARTBEAT_TOKEN", {
    doc: "Service token for the heartbeats, when another watchdog gets them"
  }),
  heartbeatInterval: Settings.integer("SIGNALBOX_WATCHDOG_HEARTBEAT_INTERVAL", {
    doc: "Interval of heartbeats; the other watchdog alarms after three missed ones",
    unit: "seconds",
    default: 60,
    min: 5,
    max: 3_600
  }),
  second
}

export type AlertSettings = Settings.Values<typeof alertSettings>
