/**
 * Messenger settings that several daemons read.
 */
import { Result } from "effect"
import * as Settings from "./Settings.ts"

export const messengerToken = Settings.secret("SIGNALBOX_MESSENGER_TOKEN", {
  doc: "Token of the bot; unset: messenger targets fail as unconfigured, and chats get no sign-in codes"
})

export const messengerUrl = Settings.httpAddress("SIGNALBOX_MESSENGER_URL", {
  doc: "Base address of the bot API; unset: the public one"
})

/** Whether a messenger is configured, for daemons that send nothing themselves and need no token. */
export const messengerConfigured: Settings.Setting<boolean> = {
  ...messengerToken,
  fallback: { value: false, shown: "unset" },
  parse: () => Result.succeed(true)
}
