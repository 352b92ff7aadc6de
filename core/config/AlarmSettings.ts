/**
 * Alarm settings that several daemons read.
 */
import * as Settings from "./Settings.ts"

export const alarmMinute = Settings.integer("SIGNALBOX_ALARM_MINUTE_MS", {
  doc: "How long the minute of RETRY:NxMm is, and that of the notices about the alarm path; anything but 60000 is for tests",
  unit: "milliseconds",
  default: 60_000,
  min: 10,
  max: 60_000
})

export const alarmSmtpPort = Settings.port("SIGNALBOX_ALARM_SMTP_PORT", {
  doc: "Port of the SMTP listener",
  default: 2525
})
