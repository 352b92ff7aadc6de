/** What workflows do, for readers. Definitions state it in English; words/Sentences.ts of core finds it here. */
import { shippedTexts } from "#core/words/ShippedTexts.ts"

shippedTexts("comm-dispatcher.results", {
  en: {
    serveTargets: "Serve every target that an alarm or a direct request names",
    tellOfAlarms: "Tell the admins of alarms that were not delivered",
    tellOfStatements: "Tell the admins of bank statements that cannot be fetched",
    tellOfAccount: "Tell users of changes to the security of their account",
    tellOfBans: "Tell the admins of bans, each rule once an hour",
    tellOfSupport: "Notify the admins of requests for support"
  },
  de: {
    serveTargets: "Bedient alle Ziele, die ein Alarm oder eine direkte Anfrage nennt",
    tellOfAlarms: "Meldet den Admins Alarme, die nicht zugestellt wurden",
    tellOfStatements: "Meldet den Admins Kontoauszüge, die sich nicht abholen lassen",
    tellOfAccount: "Meldet Benutzern Änderungen an der Sicherheit ihres Kontos",
    tellOfBans: "Meldet den Admins Sperren, je Regel einmal in der Stunde",
    tellOfSupport: "Meldet den Admins Bitten um Unterstützung"
  }
})
