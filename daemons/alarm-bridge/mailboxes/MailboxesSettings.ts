import { readFileSync } from "node:fs"
import { alarmMinute } from "#core/config/AlarmSettings.ts"
import * as Settings from "#core/config/Settings.ts"
import { type MailboxSettings, parseMailboxes } from "./MailboxSettings.ts"

export const mailboxesSettings = {
  mailboxes: {
    ...Settings.parsed<ReadonlyArray<MailboxSettings>>(
      "SIGNALBOX_ALARM_MAILBOXES",
      {
        doc:
          "Alarm mailboxes to watch: a JSON array, or a file with the array (@/path or /path). Members: name, host, " +
          "port, tls (implicit, starttls, none), tls_verify, ca, user, one of password, password_file and " +
          "password_credential, folder",
        default: [],
        shown: "none"
      },
      (raw) => parseMailboxes(raw.startsWith("/") ? readFileSync(raw.trim(), "utf8") : raw)
    ),
    secret: true
  },
  pollSeconds: Settings.integer("SIGNALBOX_ALARM_POLL_SECONDS", {
    doc: "Polling interval for mailboxes of servers without IDLE",
    unit: "seconds",
    default: 60,
    min: 1,
    max: 3600
  }),
  firstStart: Settings.oneOf("SIGNALBOX_ALARM_FIRST_START", {
    doc: "Existing mail of a mailbox that is watched for the first time: skip it, or take it as alarms",
    default: "skip",
    words: ["skip", "take"]
  }),
  minute: alarmMinute
}
