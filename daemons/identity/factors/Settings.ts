/** Settings of the second factors. */
import { brandSettings, defaultBrandName } from "#core/config/BrandSettings.ts"
import { messengerToken } from "#core/config/MessengerSettings.ts"
import * as Settings from "#core/config/Settings.ts"
import { publicUrl } from "../sessions/Exports.ts"

export const factorSettings = {
  publicUrl,
  brandName: brandSettings.brandName,
  messengerToken,
  messengerFactor: Settings.oneOf("SIGNALBOX_MESSENGER_FACTOR", {
    doc:
      "Whether users can set up codes by messenger as a second factor; auto: if SIGNALBOX_MESSENGER_TOKEN is stored, " +
      "or set for identity as well; on: also if only comm-dispatcher has the token",
    default: "auto",
    words: ["auto", "on", "off"]
  })
}

/** Whether the messenger is offered as a second factor. */
export const offersMessenger = ({
  messengerFactor,
  messengerToken
}: Pick<Settings.Values<typeof factorSettings>, "messengerFactor" | "messengerToken">): boolean =>
  messengerFactor === "on" || (messengerFactor === "auto" && messengerToken !== undefined)

/** Issuer name in authenticator apps and messages: the name of the installation, else the public host. */
export const issuerOf = ({
  brandName,
  publicUrl
}: Pick<Settings.Values<typeof factorSettings>, "brandName" | "publicUrl">): string =>
  brandName !== defaultBrandName || publicUrl === undefined ? brandName : new URL(publicUrl).host
