import { brandSettings } from "#core/config/BrandSettings.ts"
import * as Settings from "#core/config/Settings.ts"
import { publicUrl } from "#core/http/PublicBase.ts"
import { stored } from "#core/settings/StoredSetting.ts"
import { optionalAddress, relayAddress } from "#core/second-path/NoticeSettings.ts"

/** Name of the provider, for people. Shared with the pages for devices. */
export const organization = Settings.optionalText("SIGNALBOX_PROVISIONING_ORGANIZATION", {
  doc: "Name of the provider in configuration profiles and in mails with links; unset: SIGNALBOX_BRAND_NAME"
})

/** Name of the provider in texts. `config` has present values. */
export const organizationOf = (config: {
  readonly organization: string | undefined
  readonly brandName: string
}): string => config.organization ?? config.brandName

export const linkMailSettings = {
  publicUrl,
  organization,
  brandName: brandSettings.brandName,
  relay: stored(
    relayAddress("SIGNALBOX_PROVISIONING_SMTP_URL", {
      doc:
        "Relay for mails with provisioning links, smtp://host:port or smtps://user:password@host:port; unset: " +
        "smtp://127.0.0.1:25"
    }),
    {
      group: "relay",
      title: { en: "Relay for mails with set-up links", de: "Relay für Mails mit Einrichtungslinks" },
      help: {
        en: "smtp://host:port or smtps://user:password@host:port. Without it: the mail server of this machine.",
        de: "smtp://host:port oder smtps://benutzer:passwort@host:port. Ohne Angabe: der Mail-Server dieser Maschine."
      }
    }
  ),
  from: stored(
    optionalAddress("SIGNALBOX_PROVISIONING_FROM", {
      doc: "Sender of mails with provisioning links; unset: signalbox@ followed by the host of the link"
    }),
    {
      group: "relay",
      title: { en: "Sender of mails with set-up links", de: "Absender der Mails mit Einrichtungslinks" },
      help: { en: "Such as devices@example.org.", de: "Zum Beispiel geraete@example.org." }
    }
  )
}
