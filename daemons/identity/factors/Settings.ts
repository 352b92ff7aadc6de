/** Settings of the second factors. */
import { messengerConfigured } from "#core/config/MessengerSettings.ts"
import * as Settings from "#core/config/Settings.ts"
import { publicUrl } from "../sessions/Exports.ts"

export const factorSettings = {
  publicUrl,
  messengerConfigured,
  messengerFactor: Settings.oneOf("SIGNALBOX_MESSENGER_FACTOR", {
    doc:
      "Whether users can set up codes by messenger as a second factor; auto: if SIGNALBOX_MESSENGER_TOKEN is set " +
      "for identity as well; on: also if only comm-dispatcher has the token",
    default: "auto",
    words: ["auto", "on", "off"]
  })
}

/** Whether the messenger is offered as a second factor. */
export const offersMessenger = ({
  messengerConfigured,
  messengerFactor
}: Pick<Settings.Values<typeof factorSettings>, "messengerConfigured" | "messengerFactor">): boolean =>
  messengerFactor === "on" || (messengerFactor === "auto" && messengerConfigured)

/** Issuer name in authenticator apps and messages: the public host, or `Signalbox`. */
export const issuerOf = (publicUrl: string | undefined): string =>
  publicUrl === undefined ? "Signalbox" : new URL(publicUrl).host
