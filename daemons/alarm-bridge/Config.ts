import { readFileSync } from "node:fs"
import { alarmMinute, alarmSmtpPort } from "#core/config/AlarmSettings.ts"
import * as Settings from "#core/config/Settings.ts"
import { type MailboxSettings, parseMailboxes } from "./MailboxSettings.ts"

/** Everything alarm-bridge reads from its environment. */
export const bridgeSettings = {
  mailboxes: {
    ...Settings.parsed<ReadonlyArray<MailboxSettings>>(
      "SIGNALBOX_ALARM_MAILBOXES",
      {
        doc:
          "Alarm mailboxes to watch: a JSON array, or a file that holds it (@/path or /path). Members: name, host, port, " +
          "tls (implicit, starttls, none), tls_verify, ca, user, password or password_file or password_credential, folder",
        default: [],
        shown: "none"
      },
      (raw) => parseMailboxes(raw.startsWith("/") ? readFileSync(raw.trim(), "utf8") : raw)
    ),
    secret: true
  },
  pollSeconds: Settings.integer("SIGNALBOX_ALARM_POLL_SECONDS", {
    doc: "How often a mailbox is asked whose server has no IDLE",
    unit: "seconds",
    default: 60,
    min: 1,
    max: 3600
  }),
  firstStart: Settings.oneOf("SIGNALBOX_ALARM_FIRST_START", {
    doc: "What to do with mail that lies in a mailbox when it is watched for the first time: skip it, or take it as alarms",
    default: "skip",
    words: ["skip", "take"]
  }),
  minute: alarmMinute,
  smtp: Settings.flag("SIGNALBOX_ALARM_SMTP", { doc: "Whether to listen for alarm mail by SMTP", default: true }),
  smtpHost: Settings.text("SIGNALBOX_ALARM_SMTP_HOST", {
    doc: "Address of the SMTP listener; whoever reaches it can raise alarms in the name of an allowed sender",
    default: "127.0.0.1"
  }),
  smtpPort: alarmSmtpPort,
  smtpTls: Settings.oneOf("SIGNALBOX_ALARM_SMTP_TLS", {
    doc: "off; starttls: offered; required: no mail before STARTTLS; implicit: TLS from the first byte",
    default: "off",
    words: ["off", "starttls", "required", "implicit"]
  }),
  smtpCertificate: Settings.optionalText("SIGNALBOX_ALARM_SMTP_TLS_CERT", {
    doc: "Certificate chain of the SMTP listener, PEM file"
  }),
  smtpKey: Settings.optionalText("SIGNALBOX_ALARM_SMTP_TLS_KEY", { doc: "Its private key, PEM file" }),
  smtpAuth: Settings.oneOf("SIGNALBOX_ALARM_SMTP_AUTH", {
    doc: "off; optional: who signs in must do it right; required: no mail before sign-in",
    default: "off",
    words: ["off", "optional", "required"]
  }),
  smtpUser: Settings.optionalText("SIGNALBOX_ALARM_SMTP_USER", { doc: "User that devices sign in as" }),
  smtpPassword: Settings.secret("SIGNALBOX_ALARM_SMTP_PASSWORD", { doc: "Password of that user" }),
  smtpMaxBytes: Settings.integer("SIGNALBOX_ALARM_SMTP_MAX_BYTES", {
    doc: "Largest mail the SMTP listener takes",
    unit: "bytes",
    default: 10 * 1024 * 1024,
    min: 1024,
    max: 25 * 1024 * 1024
  }),
  smtpMaxConnections: Settings.integer("SIGNALBOX_ALARM_SMTP_MAX_CONNECTIONS", {
    doc: "SMTP connections at once",
    unit: "connections",
    default: 100,
    min: 1,
    max: 10_000
  }),
  smtpTimeout: Settings.integer("SIGNALBOX_ALARM_SMTP_TIMEOUT_SECONDS", {
    doc: "How long an SMTP client may be silent",
    unit: "seconds",
    default: 60,
    min: 1,
    max: 600
  })
}

export type BridgeConfig = Settings.Values<typeof bridgeSettings>

/** What is wrong with settings that are each right by themselves. */
export const conflicts = (config: BridgeConfig): ReadonlyArray<Settings.SettingProblem> => {
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
