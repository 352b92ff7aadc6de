/**
 * Titles and details of this daemon's problems, and faults of fields. Code states them in English; core finds them by
 * that sentence.
 */
import { long, shippedTexts } from "#core/words/ShippedTexts.ts"

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
    setVariable: "Set {name}.",
    testsBusy: "Too many test alarms are under way.",
    noSupport: "No support session has this code.",
    noOwnSupport: "You have no open support session.",
    acknowledgeGone: "The link was changed, is older than a week, or its alarm is deleted."
  },
  de: {
    consoleNotBuilt: "Die Konsole ist nicht gebaut: npm run prepare.",
    unknownType: "Mit dieser Art von Ereignis beginnt kein Workflow",
    notAnAlarm: "Dieser Lauf ist kein Alarm",
    callLimit: "Der Mandant hat die Höchstzahl an Anrufen erreicht",
    supportLimit: "Zu viele Bitten um Hilfe in einer Stunde",
    noSecret: "Dieses Geheimnis gibt es nicht.",
    startedByEvent: "Den Lauf hat ein Ereignis begonnen; bestätigen lassen sich nur Alarme.",
    noRun: "Diesen Lauf gibt es nicht.",
    knownTypes: "Bekannte Arten von Ereignissen: {types}.",
    mayReceive: "Einen Workflow darf nur beginnen, wer Ereignisse dieser Art sehen darf.",
    noNotification: "Diese Mitteilung gibt es nicht.",
    noReader: "Kein Benutzer passt zur Anfrage.",
    noPush: "Dieses Abonnement gibt es nicht.",
    urgentOnly: "Die Stufe {severity} braucht das Recht alarms.urgent; WARNING und INFO brauchen es nicht.",
    anyNumber: "Nummern, die nicht mit {prefixes} beginnen, brauchen das Recht calls.any.",
    callsUsed: "In einer Stunde darf Ihr Mandant {limit} Anrufe anfordern; {used} hat er angefordert.",
    setVariable: "Setzen Sie {name}.",
    testsBusy: "Zu viele Testalarme laufen gerade.",
    noSupport: "Zu diesem Code gibt es keine Sitzung.",
    noOwnSupport: "Sie haben keine offene Sitzung.",
    acknowledgeGone: "Der Link wurde verändert, ist älter als eine Woche, oder sein Alarm ist gelöscht."
  }
})

shippedTexts("comm-dispatcher.fields", {
  en: {
    noWorkflowStarts: "No workflow starts from an event with this data",
    mustNameMostLetters: long(
      "must be a name of at most {most} letters, digits, spaces and . _ + : @ / -, beginning with a ",
      "letter or digit; or empty"
    ),
    mustNameMostLettersDigits: long(
      "must be a name of at most {most} letters, digits and . _ -, beginning with a letter or digit; ",
      "or empty"
    ),
    mustNotLongerThan: "must not be longer than {most} characters to be spoken in a call",
    callWouldLastAbout: "the call would last about {seconds} s; at most {most} s are allowed",
    notGatewayYouMay: "is not a gateway that you may use; omit it",
    mustBelowDailyTest: "must be below {most}, or the daily test alarm is a duplicate of the last one",
    mustBeginningNumber: "must be the beginning of a number, such as {such} or {other}",
    emergencyNumber: "is an emergency number",
    numberOperatorCanAdmit: "is a {kind} number; the operator can admit it by SIGNALBOX_CALLS_COSTLY_PREFIXES",
    mustDigitsBeforeThem: "must be digits, with + before them or not",
    mustP256Public: "must be a P-256 public key, base64url",
    mustBytesBase64url: "must be {count} bytes, base64url",
    exactlyOneUserId: "Exactly one of user_id and tenant_id is required.",
    occursTwiceThisChannel: "Occurs twice for this channel.",
    mustBeforeUntil: "must be before until",
    mustWithinDaysBefore: "must be within {days} days before until"
  },
  de: {
    noWorkflowStarts: "Kein Workflow beginnt mit einem Ereignis mit diesen Daten",
    mustNameMostLetters: long(
      "muss ein Name aus höchstens {most} Buchstaben, Ziffern, Leerzeichen und . _ + : @ / - sein, am ",
      "Anfang ein Buchstabe oder eine Ziffer"
    ),
    mustNameMostLettersDigits: long(
      "muss leer sein oder ein Name aus höchstens {most} Buchstaben, Ziffern und . _ -, am Anfang ein ",
      "Buchstabe oder eine Ziffer"
    ),
    mustNotLongerThan: "darf höchstens {most} Zeichen lang sein, um in einem Anruf gesprochen zu werden",
    callWouldLastAbout: "der Anruf würde etwa {seconds} s dauern; erlaubt sind höchstens {most} s",
    notGatewayYouMay: "ist kein Gateway, das Sie benutzen dürfen; lassen Sie es weg",
    mustBelowDailyTest: "muss unter {most} liegen, sonst gilt der tägliche Testalarm als Wiederholung des vorigen",
    mustBeginningNumber: "muss der Anfang einer Nummer sein, etwa {such} oder {other}",
    emergencyNumber: "ist eine Notrufnummer",
    numberOperatorCanAdmit: long(
      "ist eine teure Nummer ({kind}); der Betreiber kann sie mit SIGNALBOX_CALLS_COSTLY_PREFIXES ",
      "erlauben"
    ),
    mustDigitsBeforeThem: "muss aus Ziffern bestehen, mit oder ohne + davor",
    mustP256Public: "muss ein öffentlicher P-256-Schlüssel in base64url sein",
    mustBytesBase64url: "muss aus {count} Bytes in base64url bestehen",
    exactlyOneUserId: "Genau eines von user_id und tenant_id ist nötig.",
    occursTwiceThisChannel: "Kommt für diesen Kanal doppelt vor.",
    mustBeforeUntil: "muss vor until liegen",
    mustWithinDaysBefore: "darf höchstens {days} Tage vor until liegen"
  }
})
