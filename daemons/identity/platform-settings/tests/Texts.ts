/** What tests of settings find, and the messages that they send. */
import { inEveryLanguage } from "#core/words/ChooseLanguage.ts"
import { shippedTexts, type Words } from "#core/words/ShippedTexts.ts"

const en = {
  notSet: "{setting} is not set.",
  noAddress: "The host has no address.",
  notAllowed: "The address of the host is not allowed for servers.",
  botSignedIn: "The bot {name} is signed in.",
  botRefused: "The bot API does not accept the bot.",
  messageSent: "The message was sent.",
  messageFailed: "The message could not be sent.",
  relayRefuses: "The relay does not accept mails.",
  relayAnswers: "{where} answers, and the sign-in works.",
  mailAccepted: "{where} accepted the mail to {to}.",
  resolverAnswers: "It answers for {name}.",
  noSuchAddress: "It answers: {name} has no address.",
  resolverSilent: "It does not answer.",
  spoken: "It spoke for {milliseconds} ms.",
  notSpoken: "No speech was made.",
  switchAnswers: "The switch answers: {version}",
  switchSilent: "The switch does not answer.",
  switchUnusable: "The switch cannot be used.",
  mailSubject: "Test of the settings",
  mailText: "This mail shows that {setting} works.",
  message: "Test of the settings: the messenger works."
} as const

/** The texts of a language. */
export const words = shippedTexts("identity.setting-tests", {
  en,
  de: {
    notSet: "{setting} ist nicht gesetzt.",
    noAddress: "Der Host hat keine Adresse.",
    notAllowed: "Die Adresse des Hosts ist für Server nicht erlaubt.",
    botSignedIn: "Der Bot {name} ist angemeldet.",
    botRefused: "Die Bot-API nimmt den Bot nicht an.",
    messageSent: "Die Nachricht wurde gesendet.",
    messageFailed: "Die Nachricht konnte nicht gesendet werden.",
    relayRefuses: "Das Relay nimmt keine Mails an.",
    relayAnswers: "{where} antwortet, und die Anmeldung gelingt.",
    mailAccepted: "{where} hat die Mail an {to} angenommen.",
    resolverAnswers: "Er antwortet für {name}.",
    noSuchAddress: "Er antwortet: {name} hat keine Adresse.",
    resolverSilent: "Er antwortet nicht.",
    spoken: "Es wurden {milliseconds} ms gesprochen.",
    notSpoken: "Es wurde nichts gesprochen.",
    switchAnswers: "Die Anlage antwortet: {version}",
    switchSilent: "Die Anlage antwortet nicht.",
    switchUnusable: "Die Anlage ist nicht benutzbar.",
    mailSubject: "Test der Einstellungen",
    mailText: "Diese Mail zeigt, dass {setting} funktioniert.",
    message: "Test der Einstellungen: Der Messenger funktioniert."
  }
})

/** A text by the code of each offered language. */
export const said = (text: (t: Words<typeof en>) => string) => inEveryLanguage((language) => text(words(language)))

export type Said = ReturnType<typeof said>
