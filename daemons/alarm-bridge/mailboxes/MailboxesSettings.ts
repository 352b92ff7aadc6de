import { readFileSync } from "node:fs"
import { alarmMinute } from "#core/config/AlarmSettings.ts"
import * as Settings from "#core/config/Settings.ts"
import { stored } from "#core/settings/StoredSetting.ts"
import { type MailboxSettings, parseMailboxes } from "./MailboxSettings.ts"

/** Members that name files or credentials of the host. */
const hostMembers = ["password_file", "password_credential", "ca"]

/**
 * A stored list may not name files or credentials of the host: whoever stores it also chooses the server that gets the
 * password.
 */
const hostProblem = (text: string): string | undefined => {
  if (text.trim().startsWith("/")) return "must not name a file"
  try {
    const list: unknown = JSON.parse(text)
    const named = (Array.isArray(list) ? list : []).flatMap((item: unknown) =>
      typeof item === "object" && item !== null ? Object.keys(item) : []
    )
    const found = hostMembers.find((member) => named.includes(member))
    return found === undefined ? undefined : `must not have ${found}, which only the environment may set`
  } catch {
    // The parser of the setting says so.
    return undefined
  }
}

export const mailboxesSettings = {
  mailboxes: stored(
    {
      ...Settings.parsed<ReadonlyArray<MailboxSettings>>(
        "SIGNALBOX_ALARM_MAILBOXES",
        {
          doc:
            "Alarm mailboxes to watch: a JSON array, or a file with the array (@/path or /path). Members: name, " +
            "host, port, tls (implicit, starttls, none), tls_verify, ca, user, one of password, password_file and " +
            "password_credential, folder",
          default: [],
          shown: "none"
        },
        (raw) => parseMailboxes(raw.startsWith("/") ? readFileSync(raw.trim(), "utf8") : raw)
      ),
      secret: true
    },
    {
      group: "alarms",
      title: { en: "Alarm mailboxes", de: "Alarm-Postfächer" },
      help: {
        en:
          'Mailboxes whose mails are alarms, as JSON: [{"name": "alarms", "host": "mail.example.org", "user": ' +
          '"alarm@example.org", "password": "…"}]. Also port, tls (implicit, starttls, none), tls_verify, folder.',
        de:
          'Postfächer, deren Mails Alarme sind, als JSON: [{"name": "alarme", "host": "mail.example.org", "user": ' +
          '"alarm@example.org", "password": "…"}]. Auch port, tls (implicit, starttls, none), tls_verify, folder.'
      },
      input: "long",
      refuse: hostProblem
    }
  ),
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
