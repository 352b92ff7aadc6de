/** Details of this daemon's health report. Code states them in English; core finds them by that sentence. */
import { shippedTexts } from "#core/words/ShippedTexts.ts"

shippedTexts("status-checker.health", {
  en: {
    noRound: "no round for a while",
    notWritten: "not written: {trouble}",
    oneImports: "one process of the fleet imports it, unless it was imported before",
    imported: "was imported: the variable can be unset",
    beingWritten: "{name} is being written",
    waitsForIncidents: "{name} waits until INCIDENTS_FILE can be read",
    noHistory: "the page shows no history and no incidents, because the database could not be read yet",
    oldHistory: "history and incidents of the page are {seconds} s old, because the database has not been read since",
    lastRead: "the last read failed: {why}",
    filesNotWritten: "the files that a proxy shows while this daemon is away cannot be written: {failure}",
    notReadable: "cannot be read: {trouble}",
    unset: "{variable} is not set",
    fileNotRead: "{name} has not been read yet: it is being written",
    oneWarning: "1 warning",
    warnings: "{count} warnings",
    neededForMails: "{variables} are needed before anybody can subscribe",
    mailsWait: "mails have waited for {seconds} s"
  },
  de: {
    noRound: "seit einer Weile keine Runde",
    notWritten: "nicht gespeichert: {trouble}",
    oneImports: "ein Prozess des Verbunds übernimmt es, falls das nicht schon geschehen ist",
    imported: "wurde übernommen: Die Variable kann entfallen",
    beingWritten: "{name} wird gerade geschrieben",
    waitsForIncidents: "{name} wartet, bis INCIDENTS_FILE lesbar ist",
    noHistory: "die Seite zeigt weder Verlauf noch Vorfälle, weil die Datenbank noch nicht gelesen werden konnte",
    oldHistory: "Verlauf und Vorfälle der Seite sind {seconds} s alt, weil die Datenbank seitdem nicht gelesen wurde",
    lastRead: "das letzte Lesen schlug fehl: {why}",
    filesNotWritten: "die Dateien, die ein Proxy ohne diesen Daemon zeigt, lassen sich nicht schreiben: {failure}",
    notReadable: "nicht lesbar: {trouble}",
    unset: "{variable} ist nicht gesetzt",
    fileNotRead: "{name} wurde noch nicht gelesen: Die Datei wird gerade geschrieben",
    oneWarning: "1 Warnung",
    warnings: "{count} Warnungen",
    neededForMails: "{variables} sind nötig, bevor jemand abonnieren kann",
    mailsWait: "E-Mails warten seit {seconds} s"
  }
})
