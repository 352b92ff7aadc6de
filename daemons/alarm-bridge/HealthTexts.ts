/** Details of this daemon's health report. Code states them in English; core finds them by that sentence. */
import { shippedTexts } from "#core/words/ShippedTexts.ts"

shippedTexts("alarm-bridge.health", {
  en: {
    listening: "listening",
    waiting: "waiting",
    signInRefused: "mailbox {mailbox}: the server refuses user or password",
    unreachable: "mailbox {mailbox}: the server cannot be reached",
    connectionLost: "mailbox {mailbox}: the connection was lost",
    commandRefused: "mailbox {mailbox}: the server refused a command",
    folderMissing: "mailbox {mailbox}: the folder does not exist",
    passwordUnreadable: "mailbox {mailbox}: the password cannot be read",
    messageUnreadable: "mailbox {mailbox}: the server lists a message but does not return it",
    overtaken: "mailbox {mailbox}: another process took over"
  },
  de: {
    listening: "nimmt Verbindungen an",
    waiting: "wartet, bis der Port frei ist",
    signInRefused: "Postfach {mailbox}: Der Server lehnt Benutzer oder Passwort ab",
    unreachable: "Postfach {mailbox}: Der Server ist nicht erreichbar",
    connectionLost: "Postfach {mailbox}: Die Verbindung ist abgebrochen",
    commandRefused: "Postfach {mailbox}: Der Server hat einen Befehl abgelehnt",
    folderMissing: "Postfach {mailbox}: Den Ordner gibt es nicht",
    passwordUnreadable: "Postfach {mailbox}: Das Passwort ist nicht lesbar",
    messageUnreadable: "Postfach {mailbox}: Der Server nennt eine Nachricht, liefert sie aber nicht",
    overtaken: "Postfach {mailbox}: Ein anderer Prozess hat übernommen"
  }
})
