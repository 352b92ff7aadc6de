/** Titles and details of this daemon's problems. Code states them in English; core finds them by that sentence. */
import { shippedTexts } from "#core/words/ShippedTexts.ts"

shippedTexts("comm-dispatcher.problems", {
  en: {
    consoleNotBuilt: "The console is not built: npm run prepare.",
    unknownType: "No workflow starts from this event type",
    notAnAlarm: "This run is not an alarm",
    callLimit: "The tenant has reached its limit of calls",
    supportLimit: "Too many requests for support within an hour",
    noSecret: "The secret does not exist.",
    startedByEvent: "The run was started by an event; only alarms can be acknowledged.",
    noRun: "The run does not exist.",
    knownTypes: "Known event types: {types}.",
    mayReceive: "Only who may receive events of this type may start their workflows.",
    noNotification: "The notification does not exist.",
    noReader: "No user matches the request.",
    noPush: "The subscription does not exist.",
    urgentOnly: "The severity {severity} needs the permission alarms.urgent; WARNING and INFO do not.",
    anyNumber: "Numbers that do not begin with {prefixes} need the permission calls.any.",
    callsUsed: "Within an hour your tenant may request {limit} calls; it has requested {used}.",
    setVariable: "Set {name} and restart.",
    testsBusy: "Too many test alarms are under way.",
    noSupport: "No support session has this code.",
    noOwnSupport: "You have no open support session.",
    acknowledgeGone: "The link was changed, is older than a week, or its alarm is deleted."
  },
  de: {
    consoleNotBuilt: "Die Konsole ist nicht gebaut: npm run prepare.",
    unknownType: "Mit dieser Art von Ereignis beginnt kein Ablauf",
    notAnAlarm: "Dieser Lauf ist kein Alarm",
    callLimit: "Der Mandant hat die Höchstzahl an Anrufen erreicht",
    supportLimit: "Zu viele Bitten um Hilfe in einer Stunde",
    noSecret: "Dieses Geheimnis gibt es nicht.",
    startedByEvent: "Den Lauf hat ein Ereignis begonnen; bestätigen lassen sich nur Alarme.",
    noRun: "Diesen Lauf gibt es nicht.",
    knownTypes: "Bekannte Arten von Ereignissen: {types}.",
    mayReceive: "Einen Ablauf darf nur beginnen, wer Ereignisse dieser Art sehen darf.",
    noNotification: "Diese Benachrichtigung gibt es nicht.",
    noReader: "Kein Benutzer passt zur Anfrage.",
    noPush: "Dieses Abonnement gibt es nicht.",
    urgentOnly: "Die Stufe {severity} braucht das Recht alarms.urgent; WARNING und INFO brauchen es nicht.",
    anyNumber: "Nummern, die nicht mit {prefixes} beginnen, brauchen das Recht calls.any.",
    callsUsed: "In einer Stunde darf Ihr Mandant {limit} Anrufe anfordern; {used} hat er angefordert.",
    setVariable: "Setzen Sie {name}, und starten Sie neu.",
    testsBusy: "Zu viele Testalarme laufen gerade.",
    noSupport: "Zu diesem Code gibt es keine Sitzung.",
    noOwnSupport: "Sie haben keine offene Sitzung.",
    acknowledgeGone: "Der Link wurde verändert, ist älter als eine Woche, oder sein Alarm ist gelöscht."
  }
})
