/** Texts of the pages in German and English. Pure. */
import type { IncidentStatus, Severity, ShownStatus } from "../../status/Vocabulary.ts"
import type { Language } from "#core/words/Language.ts"

const en = {
  site: "System status",
  language: "Language",
  skip: "Skip to content",
  toStatus: "To the status page",
  banner: {
    operational: "All systems are operational",
    degraded_performance: "Some systems are running with limitations",
    partial_outage: "Some systems are disrupted",
    major_outage: "Some systems are down",
    under_maintenance: "Maintenance is under way",
    unknown: "We cannot tell the current status"
  } satisfies Record<ShownStatus, string>,
  nothingWatched: "No systems are being watched yet",
  status: {
    operational: "Operational",
    degraded_performance: "Degraded performance",
    partial_outage: "Partial outage",
    major_outage: "Major outage",
    under_maintenance: "Under maintenance",
    unknown: "Not measured"
  } satisfies Record<ShownStatus, string>,
  incident: {
    investigating: "Investigating",
    identified: "Identified",
    monitoring: "Monitoring",
    resolved: "Resolved"
  } satisfies Record<IncidentStatus, string>,
  severity: { minor: "Minor incident", major: "Major incident", critical: "Critical incident" } satisfies Record<
    Severity,
    string
  >,
  lastChecked: "Last checked",
  neverChecked: "Not checked yet.",
  allTimes: "All times are in UTC.",
  staleOne: "Not checked since",
  staleNever: "Not checked yet",
  byHand: "Not measured automatically; we report its status by hand.",
  someStale: (count: number) =>
    count === 1
      ? "One system has not been checked recently; its status may be out of date."
      : `${count} systems have not been checked recently; their status may be out of date.`,
  allStale: "Our checks have not reported for some time, so what you see below may be out of date.",
  systems: "Systems",
  otherSystems: "Other systems",
  openIncidents: "Current incidents",
  maintenance: "Maintenance",
  underWay: "Under way",
  announced: "Planned",
  affects: "Affects",
  uptime: (percent: string) => `${percent} uptime`,
  notYetMeasured: "no measurements yet",
  daysAgo: (days: number) => `${days} days ago`,
  today: "Today",
  picture: (days: number, percent: string, disturbed: number, gaps: number) =>
    [
      `Last ${days} days: ${percent} of the measured time available. `,
      disturbed === 0
        ? "No days with problems"
        : disturbed === 1
          ? "1 day with problems"
          : `${disturbed} days with problems`,
      gaps === 0 ? "" : gaps === 1 ? ", 1 day without measurement" : `, ${gaps} days without measurement`,
      "."
    ].join(""),
  pictureEmpty: (days: number) => `Last ${days} days: no measurements.`,
  dayByDay: "Day by day",
  days: "Days",
  state: "Status",
  available: "Available",
  measured: "Measured",
  notMeasured: "not measured",
  partly: (percent: string) => `${percent} measured`,
  olderDays: "Earlier days are in the API.",
  legend: "How to read the bars",
  legendText:
    "One bar is one day; taller bars are worse days. Percentages are of the time that was measured, " +
    "without maintenance.",
  legendPartial: "Narrow bar: measured for only part of the day",
  legendGap: "Dash: not measured at all",
  past: "Past incidents",
  quiet: "No incidents",
  quietAll: (days: number) => `No incidents in the last ${days} days.`,
  timeline: "How it went",
  permalink: "Link to this incident",
  began: "Began",
  ended: "Resolved",
  lasted: "Duration",
  allIncidents: "All incidents",
  pages: "Pages",
  newer: "Newer",
  older: "Older",
  pageOf: (page: number, pages: number) => `Page ${page} of ${pages}`,
  noIncidents: "There have been no incidents so far.",
  from: "from",
  until: "until",
  feed: "Atom feed",
  badge: "Status badge",
  api: "API documentation",
  history: "Incident history",
  subscribe: "Get notified by e-mail",
  subscribeShort: "Subscribe",
  subscribeText:
    "We write to you when an incident begins, when there is news, and when it is over. " +
    "You can unsubscribe with one click at any time.",
  email: "E-mail address",
  mailLanguage: "Language of the e-mails",
  which: "Only certain systems",
  whichHint: "Tick nothing to hear about all of them.",
  problem: {
    email: "Please enter a valid e-mail address, such as name@example.org.",
    lang: "Please choose one of the languages.",
    components: "One of these systems no longer exists. Please choose again.",
    too_many: "Too many requests from your network. Please try again in a few minutes.",
    unavailable: "We could not save that just now. Please try again in a few minutes."
  },
  mailbox: "Please check your mailbox",
  mailboxText: (email: string, hours: number) =>
    `We have sent an e-mail to ${email}. Open the link in it to confirm your subscription. ` +
    `It is valid for ${hours} ${hours === 1 ? "hour" : "hours"}.`,
  mailboxHint: "Nothing there after a few minutes? Have a look in your spam folder.",
  confirm: "Confirm your subscription",
  confirmText: "One more click, and we will write to you when something happens.",
  confirmButton: "Confirm subscription",
  confirmed: "You are subscribed",
  confirmedText: "From now on we will write to you when something happens. Every e-mail has a link to unsubscribe.",
  unsubscribe: "Unsubscribe",
  unsubscribeText: "Would you like to stop receiving e-mails from this status page?",
  unsubscribeButton: "Unsubscribe",
  unsubscribed: "You are unsubscribed",
  unsubscribedText: "We have deleted your address and will not write to you again.",
  subscribeAgain: "Subscribe again",
  gone: "This link is no longer valid",
  goneText: "It has already been used, has expired, or was not copied in full.",
  goneNext: "You can subscribe again to get a new one.",
  notConfigured: "E-mails are not available",
  notConfiguredText: "This status page does not send e-mails. You can follow it with the Atom feed instead.",
  notFound: "There is no such page",
  notFoundText: "The incident may have been removed, or the address is not complete."
}

const de: typeof en = {
  site: "Systemstatus",
  language: "Sprache",
  skip: "Zum Inhalt",
  toStatus: "Zur Statusseite",
  banner: {
    operational: "Alle Systeme laufen",
    degraded_performance: "Einige Systeme laufen eingeschränkt",
    partial_outage: "Einige Systeme sind gestört",
    major_outage: "Einige Systeme sind ausgefallen",
    under_maintenance: "Wir arbeiten gerade an den Systemen",
    unknown: "Der Status ist gerade nicht bekannt"
  },
  nothingWatched: "Noch werden keine Systeme überwacht",
  status: {
    operational: "Verfügbar",
    degraded_performance: "Beeinträchtigt",
    partial_outage: "Teilweiser Ausfall",
    major_outage: "Schwerer Ausfall",
    under_maintenance: "Wartung",
    unknown: "Nicht gemessen"
  },
  incident: {
    investigating: "Wird untersucht",
    identified: "Ursache gefunden",
    monitoring: "Wird beobachtet",
    resolved: "Behoben"
  },
  severity: { minor: "Kleine Störung", major: "Größere Störung", critical: "Schwere Störung" },
  lastChecked: "Zuletzt geprüft",
  neverChecked: "Noch nicht geprüft.",
  allTimes: "Alle Zeiten in UTC.",
  staleOne: "Nicht mehr geprüft seit",
  staleNever: "Noch nicht geprüft",
  byHand: "Wird nicht automatisch gemessen; den Stand tragen wir von Hand ein.",
  someStale: (count) =>
    count === 1
      ? "Ein System wurde länger nicht geprüft; sein Stand kann veraltet sein."
      : `${count} Systeme wurden länger nicht geprüft; ihr Stand kann veraltet sein.`,
  allStale: "Unsere Prüfungen melden sich seit einiger Zeit nicht. Was unten steht, kann veraltet sein.",
  systems: "Systeme",
  otherSystems: "Weitere Systeme",
  openIncidents: "Aktuelle Störungen",
  maintenance: "Wartungsarbeiten",
  underWay: "Läuft gerade",
  announced: "Geplant",
  affects: "Betrifft",
  uptime: (percent) => `${percent} verfügbar`,
  notYetMeasured: "noch keine Messungen",
  daysAgo: (days) => `Vor ${days} Tagen`,
  today: "Heute",
  picture: (days, percent, disturbed, gaps) =>
    [
      `Letzte ${days} Tage: ${percent} der gemessenen Zeit verfügbar. `,
      disturbed === 0
        ? "Kein Tag mit Problemen"
        : disturbed === 1
          ? "1 Tag mit Problemen"
          : `${disturbed} Tage mit Problemen`,
      gaps === 0 ? "" : gaps === 1 ? ", 1 Tag ohne Messung" : `, ${gaps} Tage ohne Messung`,
      "."
    ].join(""),
  pictureEmpty: (days) => `Letzte ${days} Tage: keine Messungen.`,
  dayByDay: "Tag für Tag",
  days: "Tage",
  state: "Stand",
  available: "Verfügbar",
  measured: "Gemessen",
  notMeasured: "nicht gemessen",
  partly: (percent) => `zu ${percent} gemessen`,
  olderDays: "Frühere Tage stehen in der API.",
  legend: "So lesen Sie die Balken",
  legendText:
    "Ein Balken ist ein Tag; je höher der Balken, desto schlechter der Tag. " +
    "Prozente beziehen sich auf die gemessene Zeit ohne Wartung.",
  legendPartial: "Schmaler Balken: nur einen Teil des Tages gemessen",
  legendGap: "Strich: gar nicht gemessen",
  past: "Frühere Störungen",
  quiet: "Keine Störungen",
  quietAll: (days) => `Keine Störungen in den letzten ${days} Tagen.`,
  timeline: "Verlauf",
  permalink: "Link zu dieser Störung",
  began: "Beginn",
  ended: "Behoben",
  lasted: "Dauer",
  allIncidents: "Alle Störungen",
  pages: "Seiten",
  newer: "Neuere",
  older: "Ältere",
  pageOf: (page, pages) => `Seite ${page} von ${pages}`,
  noIncidents: "Bisher gab es keine Störungen.",
  from: "von",
  until: "bis",
  feed: "Atom-Feed",
  badge: "Status als Bild",
  api: "API-Dokumentation",
  history: "Alle Störungen",
  subscribe: "Per E-Mail auf dem Laufenden bleiben",
  subscribeShort: "Abonnieren",
  subscribeText:
    "Wir schreiben Ihnen, wenn eine Störung beginnt, wenn es Neues gibt und wenn sie behoben ist. " +
    "Abbestellen geht jederzeit mit einem Klick.",
  email: "E-Mail-Adresse",
  mailLanguage: "Sprache der E-Mails",
  which: "Nur bestimmte Systeme",
  whichHint: "Wenn Sie nichts ankreuzen, hören Sie von allen.",
  problem: {
    email: "Bitte geben Sie eine gültige E-Mail-Adresse ein, zum Beispiel name@example.org.",
    lang: "Bitte wählen Sie eine der Sprachen.",
    components: "Eines dieser Systeme gibt es nicht mehr. Bitte wählen Sie noch einmal.",
    too_many: "Zu viele Anfragen aus Ihrem Netz. Bitte versuchen Sie es in ein paar Minuten noch einmal.",
    unavailable: "Das ließ sich gerade nicht speichern. Bitte versuchen Sie es in ein paar Minuten noch einmal."
  },
  mailbox: "Bitte sehen Sie in Ihr Postfach",
  mailboxText: (email, hours) =>
    `Wir haben eine E-Mail an ${email} geschickt. Öffnen Sie den Link darin, um das Abonnement zu bestätigen. ` +
    `Er gilt ${hours} ${hours === 1 ? "Stunde" : "Stunden"}.`,
  mailboxHint: "Nach ein paar Minuten noch nichts da? Dann sehen Sie bitte auch im Spam-Ordner nach.",
  confirm: "Abonnement bestätigen",
  confirmText: "Noch ein Klick, dann schreiben wir Ihnen, wenn etwas passiert.",
  confirmButton: "Abonnement bestätigen",
  confirmed: "Das Abonnement steht",
  confirmedText: "Ab jetzt schreiben wir Ihnen, wenn etwas passiert. In jeder E-Mail steht ein Link zum Abbestellen.",
  unsubscribe: "Abbestellen",
  unsubscribeText: "Möchten Sie keine E-Mails mehr von dieser Statusseite bekommen?",
  unsubscribeButton: "Abbestellen",
  unsubscribed: "Abbestellt",
  unsubscribedText: "Wir haben Ihre Adresse gelöscht und schreiben Ihnen nicht mehr.",
  subscribeAgain: "Wieder abonnieren",
  gone: "Dieser Link gilt nicht mehr",
  goneText: "Er wurde schon benutzt, ist abgelaufen oder nicht vollständig kopiert.",
  goneNext: "Wenn Sie noch einmal abonnieren, bekommen Sie einen neuen.",
  notConfigured: "Keine E-Mails verfügbar",
  notConfiguredText: "Diese Statusseite verschickt keine E-Mails. Sie können ihr stattdessen mit dem Atom-Feed folgen.",
  notFound: "Diese Seite gibt es nicht",
  notFoundText: "Vielleicht wurde die Störung entfernt, oder die Adresse ist unvollständig."
}

export type Words = typeof en
export const words: Readonly<Record<Language, Words>> = { de, en }
