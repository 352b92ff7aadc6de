/**
 * Alarm settings that several daemons read.
 */
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
