/**
 * Alarm settings that several daemons read.
 */
import { languages } from "../words/Language.ts"
import * as Settings from "./Settings.ts"

export const alarmMinute = Settings.integer("SIGNALBOX_ALARM_MINUTE_MS", {
  doc: "Length of a minute in RETRY:NxMm and in notices about the alarm path; values other than 60000 are for tests",
  unit: "milliseconds",
  default: 60_000,
  min: 10,
  max: 60_000
})

export const alarmSmtpPort = Settings.port("SIGNALBOX_ALARM_SMTP_PORT", {
  doc: "Port of the SMTP listener",
  default: 2525
})

export const alarmLanguage = Settings.oneOf("SIGNALBOX_ALARM_LANGUAGE", {
  doc: "Language of the words around an alarm's text",
  default: "de",
  words: languages
})
