/** Texts of the public pages of a link, and of the notification. */
import { long, shippedTexts } from "#core/words/ShippedTexts.ts"

export const words = shippedTexts("provisioning.links", {
  en: {
    title: "Set up this device",
    text: "This link signs a device in with your account: files, contacts, calendar, mail and telephony, as booked.",
    hint: "It works once. Open it on the device that you want to set up, and press the button there.",
    button: "Set up this device",
    gone: "This link is not valid",
    goneText: "It was used already, has expired, or was revoked. Ask for a new link.",
    away: "Not possible at the moment",
    awayText: "A part of the system does not answer. The link stays valid: try again in a few minutes.",
    tooMany: "Too many requests",
    tooManyText: "Please wait a minute and try again. The link stays valid.",
    again: "Try again",
    notified: "Device set up",
    notifiedText: "{device} was set up with your account. If that was not you, revoke the device at once."
  },
  de: {
    title: "Dieses Gerät einrichten",
    text: long(
      "Dieser Link meldet ein Gerät mit Ihrem Konto an: Dateien, Kontakte, Kalender, E-Mail und Telefonie, wie ",
      "gebucht."
    ),
    hint: "Er gilt einmal. Öffnen Sie ihn auf dem Gerät, das Sie einrichten möchten, und drücken Sie dort den Knopf.",
    button: "Dieses Gerät einrichten",
    gone: "Dieser Link ist nicht gültig",
    goneText: "Er wurde schon benutzt, ist abgelaufen oder wurde widerrufen. Bitten Sie um einen neuen Link.",
    away: "Im Augenblick nicht möglich",
    awayText:
      "Ein Teil des Systems antwortet nicht. Der Link bleibt gültig: Versuchen Sie es in einigen Minuten erneut.",
    tooMany: "Zu viele Anfragen",
    tooManyText: "Bitte warten Sie eine Minute und versuchen Sie es erneut. Der Link bleibt gültig.",
    again: "Noch einmal versuchen",
    notified: "Gerät eingerichtet",
    notifiedText:
      "{device} wurde mit Ihrem Konto eingerichtet. Wenn Sie das nicht waren, widerrufen Sie das Gerät sofort."
  }
})
