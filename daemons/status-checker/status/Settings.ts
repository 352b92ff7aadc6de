/** Settings that several features read. Source of names without a prefix: interface document 3 §2.1. */
import { Result } from "effect"
import { resolve } from "node:path"
import { addressProblem } from "#core/second-path/NoticeSettings.ts"
import * as Settings from "#core/config/Settings.ts"
import { hostProblem } from "#core/config/SwitchSettings.ts"
import { stored } from "#core/settings/StoredSetting.ts"

/** Optional setting that holds the path of a file or directory, absolute or relative to the working directory. */
export const optionalPath = (name: string, doc: string): Settings.Setting<string | undefined> => {
  const setting = Settings.optionalText(name, { doc })
  return { ...setting, parse: (raw) => Result.map(setting.parse(raw), (path) => path && resolve(path)) }
}

/** Interval of the check rounds; other features derive their own intervals from it. */
export const intervalSettings = {
  checkInterval: Settings.integer("CHECK_INTERVAL", {
    doc: "Interval between checks of a component",
    unit: "seconds",
    default: 300,
    min: 1,
    max: 86_400
  })
}

export const addressSettings = {
  baseUrl: stored(
    Settings.httpAddress("BASE_URL", {
      doc: "Address of the status page, for links in mails and feeds; unset: its port on localhost"
    }),
    {
      group: "addresses",
      title: { en: "Address of the status page", de: "Adresse der Statusseite" },
      help: {
        en: "For links in mails and feeds, such as https://status.example.org.",
        de: "Für Links in Mails und Feeds, zum Beispiel https://status.example.org."
      }
    }
  )
}

/** Without both of these nobody can subscribe. */
export const mailSettings = {
  smtpHost: stored(
    Settings.optionalText("SMTP_HOST", {
      doc: "Relay for mail to subscribers; unset: nobody can subscribe",
      check: hostProblem
    }),
    {
      group: "relay",
      title: { en: "Relay host of the status page", de: "Relay-Host der Statusseite" },
      help: {
        en: "Host that takes mails to subscribers, such as mail.example.org. Without it nobody can subscribe.",
        de: "Host, der Mails an Abonnenten annimmt, zum Beispiel mail.example.org. Ohne ihn kann niemand abonnieren."
      }
    }
  ),
  mailFrom: stored(
    Settings.optionalText("MAIL_FROM", {
      doc: "Sender of mail to subscribers; unset: nobody can subscribe",
      check: addressProblem
    }),
    {
      group: "relay",
      title: { en: "Sender of the status page", de: "Absender der Statusseite" },
      help: {
        en: "Such as status@example.org. Without it nobody can subscribe.",
        de: "Zum Beispiel status@example.org. Ohne ihn kann niemand abonnieren."
      }
    }
  )
}

/** The import reads this file, and the notices wait for the import. */
export const notifiedSettings = {
  notifiedFile: optionalPath(
    "NOTIFIED_FILE",
    "JSON file with hashes of incident updates that were already sent, imported once; unset: none"
  )
}

/** Default port of the daemon; part of the page's address when BASE_URL is not set. */
export const port = 8112

/** Address of the status page, without a final slash. */
export const baseOf = ({ baseUrl }: { readonly baseUrl?: string | undefined }): string =>
  baseUrl?.replace(/\/+$/, "") ?? `http://localhost:${port}`
