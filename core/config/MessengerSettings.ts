/** Settings of the messenger that more than one daemon reads. */
import { Result } from "effect"
import * as Settings from "./Settings.ts"

export const messengerToken = Settings.secret("SIGNALBOX_MESSENGER_TOKEN", {
  doc: "Token of the bot; unset: messenger targets fail as unconfigured, and no sign-in codes go to chats"
})

/** Whether there is a messenger, for who sends nothing by it itself: it need not hold the token. */
export const messengerConfigured: Settings.Setting<boolean> = {
  ...messengerToken,
  fallback: { value: false, shown: "unset" },
  parse: () => Result.succeed(true)
}
