import { type Values, integer } from "#core/config/Settings.ts"
import { mailCa } from "../accounts/Exports.ts"

export const watchSettings = {
  mailCa,
  pollSeconds: integer("SIGNALBOX_MAIL_POLL_SECONDS", {
    doc: "Between two looks at folders that a mail server does not tell of by itself",
    unit: "seconds",
    default: 50,
    min: 1,
    max: 60
  })
}

export type WatchSettings = Values<typeof watchSettings>
