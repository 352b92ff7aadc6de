/**
 * Messenger settings that several daemons read.
 */
import { stored } from "../settings/StoredSetting.ts"
import * as Settings from "./Settings.ts"

/** The problem of the id of a chat, as a sentence. */
export const chatProblem = (chat: string): string | undefined =>
  /^(-?\d{1,20}|@\w{1,64})$/.test(chat.trim()) ? undefined : `${chat} is no chat such as 4711 or @channel`

export const messengerToken = stored(
  Settings.secret("SIGNALBOX_MESSENGER_TOKEN", {
    doc: "Token of the bot; unset: messenger targets fail as unconfigured, and chats get no sign-in codes",
    // The token becomes part of a path.
    check: (token) => (/^[\w:.-]{1,200}$/.test(token) ? undefined : "must be a token such as 123456:ABC-DEF")
  }),
  {
    group: "messenger",
    title: { en: "Token of the bot", de: "Token des Bots" },
    help: {
      en: "Token that the messenger issued for the bot. Without it no alarm and no sign-in code goes to a chat.",
      de:
        "Token, das der Messenger für den Bot ausgestellt hat. Ohne Token geht kein Alarm und kein Anmeldecode in " +
        "einen Chat."
    }
  }
)

export const messengerUrl = stored(
  Settings.httpAddress("SIGNALBOX_MESSENGER_URL", {
    doc: "Base address of the bot API; unset: the public one"
  }),
  {
    group: "messenger",
    title: { en: "Address of the bot API", de: "Adresse der Bot-API" },
    help: {
      en: "Only for an own server of the bot API, such as http://127.0.0.1:8081.",
      de: "Nur für einen eigenen Server der Bot-API, zum Beispiel http://127.0.0.1:8081."
    }
  }
)

export const adminChat = stored(
  Settings.optionalText("SIGNALBOX_ADMIN_CHAT_ID", {
    doc: "Chat that gets notices about malformed alarms of allowed senders, and alerts where no chats for them are set",
    check: chatProblem
  }),
  {
    group: "messenger",
    title: { en: "Chat of the operators", de: "Chat der Betreiber" },
    help: {
      en:
        "Id of the chat that gets notices about malformed alarms, such as 4711 or @channel. Alerts of the watchdog " +
        "go there too, unless chats for them are set.",
      de:
        "Id des Chats, der Hinweise auf fehlerhafte Alarme bekommt, zum Beispiel 4711 oder @channel. Auch die " +
        "Meldungen des Watchdogs gehen dorthin, wenn keine Chats für sie gesetzt sind."
    }
  }
)
