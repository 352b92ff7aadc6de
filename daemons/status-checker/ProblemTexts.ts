/**
 * Titles and details of this daemon's problems, and faults of fields. Code states them in English; core finds them by
 * that sentence.
 */
import { long, shippedTexts } from "#core/words/ShippedTexts.ts"

shippedTexts("status-checker.problems", {
  en: {
    alreadyPublished: "This incident is published",
    alreadyResolved: "This incident is resolved",
    notPublished: "This incident is a draft",
    maintenanceOver: "This maintenance is over",
    noMail: "This status page does not send mail",
    noSubscriber: "There is no such subscriber.",
    noIncident: "There is no such incident.",
    draftUpdates: "Drafts have no updates: edit it, or publish it first.",
    draftResolve: "Drafts cannot be resolved: delete it instead.",
    sendUpdate: "Send an update instead.",
    resolveInstead: "Published incidents cannot be deleted: resolve it.",
    noMaintenance: "There is no such maintenance.",
    planNewCancelled: "It was cancelled: plan a new one.",
    planNewOver: "It is over: plan a new one.",
    providerOnly: "Only the provider manages the status page.",
    mailsWait: "Too many mails wait to be sent.",
    noSubscriptions: "Subscriptions are not available at the moment.",
    tooManyComponents: "There are too many components",
    componentLimit: "At most {count} are allowed.",
    otherComponentId: "Choose another id.",
    noComponent: "There is no such component.",
    triedOften: "Checks were tried many times."
  },
  de: {
    alreadyPublished: "Diese Störung ist veröffentlicht",
    alreadyResolved: "Diese Störung ist behoben",
    notPublished: "Diese Störung ist ein Entwurf",
    maintenanceOver: "Diese Wartung ist vorbei",
    noMail: "Diese Statusseite sendet keine Mails",
    noSubscriber: "Diesen Abonnenten gibt es nicht.",
    noIncident: "Diese Störung gibt es nicht.",
    draftUpdates: "Entwürfe haben keine Meldungen: ändern Sie ihn, oder veröffentlichen Sie ihn erst.",
    draftResolve: "Entwürfe lassen sich nicht beheben: löschen Sie ihn stattdessen.",
    sendUpdate: "Schreiben Sie stattdessen eine Meldung.",
    resolveInstead: "Veröffentlichte Störungen lassen sich nicht löschen: melden Sie sie als behoben.",
    noMaintenance: "Diese Wartung gibt es nicht.",
    planNewCancelled: "Sie wurde abgesagt: planen Sie eine neue.",
    planNewOver: "Sie ist vorbei: planen Sie eine neue.",
    providerOnly: "Nur der Betreiber verwaltet die Statusseite.",
    mailsWait: "Zu viele Mails warten auf den Versand.",
    noSubscriptions: "Abonnements sind zurzeit nicht möglich.",
    tooManyComponents: "Es gibt zu viele Komponenten",
    componentLimit: "Höchstens {count} sind erlaubt.",
    otherComponentId: "Wählen Sie eine andere Kennung.",
    noComponent: "Diese Komponente gibt es nicht.",
    triedOften: "Prüfungen wurden sehr oft ausprobiert."
  }
})

shippedTexts("status-checker.fields", {
  en: {
    mustMostDaysAfter: "must be at most {most} days after starts_at",
    mustWithinDays: "must be within {days} days",
    mustHttpHttpsAddress: "must be an http:// or https:// address of at most {most} characters",
    mustNotContainUser: "must not contain a user name or password: use a public path",
    mustHostNameIp: "must be a host name or an IP address without brackets",
    mustHave1Entries: "must have 1 to {most} entries, or be omitted",
    mustIpAddressPort: "must be an IP address, with a port as {one} or {other}",
    mustNotContainSlash: "must not contain a slash, or spaces at its ends",
    mustNameContainerLetters: long(
      'must be the name of a container: letters, digits, "_", "." and "-", or be left out'
    ),
    mustNameEachComponent: "must name each component once",
    mustNotContainControl: "must not contain control characters or line breaks: type it again",
    mustNotContainControlCharacters: "must not contain control characters other than line breaks: type it again",
    must1CharactersZ: long(
      'must be 1 to {most} characters of A-Z, a-z, 0-9, "-", "_", "." and "~", the first a letter or ',
      "digit"
    ),
    mustTimeItsOffset: "must be a time with its offset from UTC, such as {one} or {other}",
    notCalendarDaySince: "is not a calendar day since 1970",
    notComponentThisStatus: "is not a component of this status page"
  },
  de: {
    mustMostDaysAfter: "darf höchstens {most} Tage nach starts_at liegen",
    mustWithinDays: "muss innerhalb von {days} Tagen liegen",
    mustHttpHttpsAddress: "muss eine Adresse mit http:// oder https:// sein, höchstens {most} Zeichen",
    mustNotContainUser: "darf weder Benutzernamen noch Passwort enthalten: nehmen Sie einen öffentlichen Pfad",
    mustHostNameIp: "muss ein Hostname oder eine IP-Adresse ohne Klammern sein",
    mustHave1Entries: "braucht 1 bis {most} Einträge, oder lassen Sie es weg",
    mustIpAddressPort: "muss eine IP-Adresse sein, mit Port wie {one} oder {other}",
    mustNotContainSlash: "darf weder einen Schrägstrich noch Leerzeichen am Anfang oder Ende enthalten",
    mustNameContainerLetters: long(
      'muss der Name eines Containers sein: Buchstaben, Ziffern, "_", "." und "-"; oder lassen Sie es ',
      "weg"
    ),
    mustNameEachComponent: "darf jede Komponente nur einmal nennen",
    mustNotContainControl: "darf weder Steuerzeichen noch Zeilenumbrüche enthalten: geben Sie es neu ein",
    mustNotContainControlCharacters: "darf außer Zeilenumbrüchen keine Steuerzeichen enthalten: geben Sie es neu ein",
    must1CharactersZ: long(
      'darf 1 bis {most} Zeichen aus A-Z, a-z, 0-9, "-", "_", "." und "~" haben, am Anfang ein ',
      "Buchstabe oder eine Ziffer"
    ),
    mustTimeItsOffset: "muss ein Zeitpunkt mit dem Abstand zu UTC sein, etwa {one} oder {other}",
    notCalendarDaySince: "ist kein Tag seit 1970",
    notComponentThisStatus: "ist keine Komponente dieser Statusseite"
  }
})
