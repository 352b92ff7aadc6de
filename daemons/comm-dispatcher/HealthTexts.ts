/** Details of this daemon's health report. Code states them in English; core finds them by that sentence. */
import { shippedTexts } from "#core/words/ShippedTexts.ts"

shippedTexts("comm-dispatcher.health", {
  en: {
    nothingArrived: "nothing has arrived since {at}",
    notConnectedYet: "the telephone switch is not connected yet",
    noSender: "no sender may raise alarms by mail",
    lag: "workflows lag {seconds} s behind their events",
    databaseSilent: "the database does not answer",
    switchNotUp: "the switch reports that it is not up"
  },
  de: {
    nothingArrived: "seit {at} ist nichts angekommen",
    notConnectedYet: "die Telefonanlage ist noch nicht verbunden",
    noSender: "kein Absender darf Alarme per E-Mail auslösen",
    lag: "Workflows sind {seconds} s hinter ihren Ereignissen zurück",
    databaseSilent: "die Datenbank antwortet nicht",
    switchNotUp: "die Telefonanlage meldet, dass sie nicht bereit ist"
  }
})
