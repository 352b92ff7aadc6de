/** Details that health reports of all daemons can have. Code states them in English. */
import { shippedTexts } from "../words/ShippedTexts.ts"

shippedTexts("core.health", {
  en: {
    doesNotAnswer: "does not answer",
    openTransaction: "a transaction is open for {seconds} s and holds back events",
    catchingUp: "catching up: {consumer} has read until {at}",
    notListening: "not listening yet",
    pathTaken: "{path} is held by another process",
    portTaken: "port {port} is held by {holder}",
    portTakenByOther: "port {port} is held by another process",
    otherPort: "{setting} sets another port",
    onlyLog: "SIGNALBOX_ADMIN_EMAIL is not set: a broken alarm path is reported only in the log",
    relayUnreachable: "relay {relay} cannot be reached",
    relayRefusesSignIn: "relay {relay} refuses user or password",
    relayRefuses: "relay {relay} refuses the mail",
    relayRefusesWith: "relay {relay} refuses the mail ({code})",
    relayPutsOff: "relay {relay} puts the mail off",
    relayPutsOffWith: "relay {relay} puts the mail off ({code})",
    relaySilent: "relay {relay} gave no answer"
  },
  de: {
    doesNotAnswer: "antwortet nicht",
    openTransaction: "eine Transaktion ist seit {seconds} s offen und hält Ereignisse zurück",
    catchingUp: "holt auf: {consumer} hat bis {at} gelesen",
    notListening: "nimmt noch keine Verbindungen an",
    pathTaken: "{path} ist von einem anderen Prozess belegt",
    portTaken: "Port {port} ist belegt von {holder}",
    portTakenByOther: "Port {port} ist von einem anderen Prozess belegt",
    otherPort: "{setting} setzt einen anderen Port",
    onlyLog: "SIGNALBOX_ADMIN_EMAIL ist nicht gesetzt: Ein gestörter Alarmweg steht nur im Protokoll",
    relayUnreachable: "Relay {relay} ist nicht erreichbar",
    relayRefusesSignIn: "Relay {relay} lehnt Benutzer oder Passwort ab",
    relayRefuses: "Relay {relay} lehnt die E-Mail ab",
    relayRefusesWith: "Relay {relay} lehnt die E-Mail ab ({code})",
    relayPutsOff: "Relay {relay} stellt die E-Mail zurück",
    relayPutsOffWith: "Relay {relay} stellt die E-Mail zurück ({code})",
    relaySilent: "Relay {relay} hat nicht geantwortet"
  }
})
