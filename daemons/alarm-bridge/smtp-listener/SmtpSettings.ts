import { alarmSmtpPort } from "#core/config/AlarmSettings.ts"
import * as Settings from "#core/config/Settings.ts"

export const smtpSettings = {
  smtp: Settings.flag("SIGNALBOX_ALARM_SMTP", { doc: "Whether to listen for alarm mail by SMTP", default: true }),
  smtpHost: Settings.text("SIGNALBOX_ALARM_SMTP_HOST", {
    doc: "Address of the SMTP listener; any client that reaches it can raise alarms as an allowed sender",
    default: "127.0.0.1"
  }),
  smtpPort: alarmSmtpPort,
  smtpTls: Settings.oneOf("SIGNALBOX_ALARM_SMTP_TLS", {
    doc:
      "TLS mode. off: no TLS; starttls: STARTTLS is offered; required: no mail before STARTTLS; implicit: TLS from " +
      "the first byte",
    default: "off",
    words: ["off", "starttls", "required", "implicit"]
  }),
  smtpCertificate: Settings.optionalText("SIGNALBOX_ALARM_SMTP_TLS_CERT", {
    doc: "PEM file with the certificate chain of the SMTP listener"
  }),
  smtpKey: Settings.optionalText("SIGNALBOX_ALARM_SMTP_TLS_KEY", {
    doc: "PEM file with the private key of the SMTP listener"
  }),
  smtpAuth: Settings.oneOf("SIGNALBOX_ALARM_SMTP_AUTH", {
    doc: "off; optional: a sign-in must succeed if it is tried; required: no mail before sign-in",
    default: "off",
    words: ["off", "optional", "required"]
  }),
  smtpUser: Settings.optionalText("SIGNALBOX_ALARM_SMTP_USER", { doc: "User name for the sign-in of devices" }),
  smtpPassword: Settings.secret("SIGNALBOX_ALARM_SMTP_PASSWORD", { doc: "Password for the sign-in of devices" }),
  smtpMaxBytes: Settings.integer("SIGNALBOX_ALARM_SMTP_MAX_BYTES", {
    doc: "Largest mail that the SMTP listener accepts",
    unit: "bytes",
    default: 10 * 1024 * 1024,
    min: 1024,
    max: 25 * 1024 * 1024
  }),
  smtpMaxConnections: Settings.integer("SIGNALBOX_ALARM_SMTP_MAX_CONNECTIONS", {
    doc: "Most parallel SMTP connections",
    unit: "connections",
    default: 100,
    min: 1,
    max: 10_000
  }),
  smtpTimeout: Settings.integer("SIGNALBOX_ALARM_SMTP_TIMEOUT_SECONDS", {
    doc: "Longest silence of an SMTP client",
    unit: "seconds",
    default: 60,
    min: 1,
    max: 600
  })
}

export type SmtpConfig = Settings.Values<typeof smtpSettings>

/** Settings of an enabled listener. */
export type ListenerConfig = Omit<SmtpConfig, "smtp">

/** Checks combinations of settings. */
export const conflicts = (config: SmtpConfig): ReadonlyArray<Settings.SettingProblem> => {
  const problems: Array<Settings.SettingProblem> = []
  if (config.smtpTls !== "off") {
    if (config.smtpCertificate === undefined)
      problems.push({ name: "SIGNALBOX_ALARM_SMTP_TLS_CERT", message: "is required for TLS" })
    if (config.smtpKey === undefined)
      problems.push({ name: "SIGNALBOX_ALARM_SMTP_TLS_KEY", message: "is required for TLS" })
  }
  if (config.smtpAuth !== "off") {
    if (config.smtpUser === undefined)
      problems.push({ name: "SIGNALBOX_ALARM_SMTP_USER", message: "is required for sign-in" })
    if (config.smtpPassword === undefined)
      problems.push({ name: "SIGNALBOX_ALARM_SMTP_PASSWORD", message: "is required for sign-in" })
  }
  return problems
}
