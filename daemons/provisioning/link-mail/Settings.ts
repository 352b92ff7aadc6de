import * as Settings from "#core/config/Settings.ts"
import { publicUrl } from "#core/http/PublicBase.ts"
import { optionalAddress, relayAddress } from "#core/second-path/NoticeSettings.ts"

/** Name of the provider, for people. Shared with the pages for devices. */
export const organization = Settings.text("SIGNALBOX_PROVISIONING_ORGANIZATION", {
  doc: "Name of the provider in configuration profiles and in mails with links",
  default: "Signalbox"
})

export const linkMailSettings = {
  publicUrl,
  organization,
  relay: relayAddress("SIGNALBOX_PROVISIONING_SMTP_URL", {
    doc:
      "Relay for mails with provisioning links, smtp://host:port or smtps://user:password@host:port; unset: " +
      "smtp://127.0.0.1:25"
  }),
  from: optionalAddress("SIGNALBOX_PROVISIONING_FROM", {
    doc: "Sender of mails with provisioning links; unset: signalbox@ followed by the host of the link"
  })
}
