/** What second factors are told by the environment. */
import { messengerConfigured } from "#core/config/MessengerSettings.ts"
import * as Settings from "#core/config/Settings.ts"
import { publicUrl } from "../sessions/Exports.ts"

export const factorSettings = {
  publicUrl,
  messengerConfigured,
  messengerFactor: Settings.oneOf("SIGNALBOX_MESSENGER_FACTOR", {
    doc:
      "Whether codes by messenger can be set up as a second factor; auto: where SIGNALBOX_MESSENGER_TOKEN is set for identity as well; " +
      "on: also where only comm-dispatcher holds the token",
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

/** Who we are, in an authenticator app and in messages: the host that people know, else our name. */
export const issuerOf = (publicUrl: string | undefined): string =>
  publicUrl === undefined ? "Signalbox" : new URL(publicUrl).host
