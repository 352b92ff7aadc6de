/**
 * Settings that several features read, and parts of them. Source of names without a prefix: interface document 3 §2.1.
 */
import { isAbsolute } from "node:path"
import { addressProblem } from "#core/second-path/NoticeSettings.ts"
import * as Settings from "#core/config/Settings.ts"

/** An optional setting that names a file or directory by its absolute path. */
export const optionalPath = (name: string, doc: string) =>
  Settings.optionalText(name, { doc, check: (text) => (isAbsolute(text) ? undefined : "must be an absolute path") })

/** Interval of the rounds of checks; other features derive their own intervals from it. */
export const intervalSettings = {
  checkInterval: Settings.integer("CHECK_INTERVAL", {
    doc: "Between two checks of a component",
    unit: "seconds",
    default: 300,
    min: 1,
    max: 86_400
  })
}

export const addressSettings = {
  baseUrl: Settings.httpAddress("BASE_URL", {
    doc: "Address of the status page, for links in mails and feeds; unset: where it listens"
  })
}

/** Without both of these nobody can subscribe. */
export const mailSettings = {
  smtpHost: Settings.optionalText("SMTP_HOST", { doc: "Relay for mail to subscribers; unset: nobody can subscribe" }),
  mailFrom: Settings.optionalText("MAIL_FROM", {
    doc: "Sender of mail to subscribers; unset: nobody can subscribe",
    check: addressProblem
  })
}

/** Read by the import, and by the notices, which wait for it. */
export const notifiedSettings = {
  notifiedFile: optionalPath(
    "NOTIFIED_FILE",
    "JSON file with hashes of incident updates that were told before, taken in once; unset: none"
  )
}
