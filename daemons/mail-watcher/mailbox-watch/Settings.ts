import { type Values, integer } from "#core/config/Settings.ts"
import { mailCa } from "../accounts/Exports.ts"

export const watchSettings = {
  mailCa,
  pollSeconds: integer("SIGNALBOX_MAIL_POLL_SECONDS", {
    doc: "Interval of scans of folders whose changes the mail server does not report",
    unit: "seconds",
    default: 60,
    min: 1,
    max: 60
  })
}

export type WatchSettings = Values<typeof watchSettings>
