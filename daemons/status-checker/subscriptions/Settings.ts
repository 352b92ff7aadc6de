import type { Values } from "#core/config/Settings.ts"
import * as Settings from "#core/config/Settings.ts"
import { stored } from "#core/settings/StoredSetting.ts"
import { addressSettings, intervalSettings, mailSettings, notifiedSettings } from "../status/Settings.ts"

/** Settings of the mail transport. */
export const transportSettings = {
  ...mailSettings,
  smtpPort: stored(Settings.port("SMTP_PORT", { doc: "Port of SMTP_HOST", default: 25 }), {
    group: "relay",
    title: { en: "Relay port of the status page", de: "Relay-Port der Statusseite" },
    help: { en: "25, or 465 for TLS from the first byte.", de: "25, oder 465 für TLS ab dem ersten Byte." }
  }),
  ...addressSettings
}

export type TransportConfig = Values<typeof transportSettings>

export const subscriptionSettings = {
  ...transportSettings,
  mailConnections: Settings.integer("SIGNALBOX_STATUS_MAIL_CONNECTIONS", {
    doc: "Concurrent mails to subscribers; after a crash at most this many are sent twice",
    unit: "connections",
    default: 1,
    min: 1,
    max: 32
  }),
  mailRate: Settings.integer("SIGNALBOX_STATUS_MAIL_RATE", {
    doc: "Most mails to subscribers",
    unit: "mails a minute",
    default: 6_000,
    min: 1,
    max: 100_000
  }),
  ...intervalSettings,
  ...notifiedSettings
}
