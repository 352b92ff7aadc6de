/** Details of this daemon's health report. Code states them in English; core finds them by that sentence. */
import { long, shippedTexts } from "#core/words/ShippedTexts.ts"

shippedTexts("sip-config.health", {
  en: {
    noSwitch: "{variable} is unset: calls are not recorded, and changes reach the switch within a minute",
    gatewaysMissing: "{count} gateways are missing, the first is {name}",
    otherConfiguration: "the switch does not take its configuration from here (config/switch/xml_curl.conf.xml)",
    profileStopped: "profile {profile} does not run",
    profileOther: "profile {profile} runs with other settings than ours",
    restartLater: "it is restarted when no call is left (now {calls})",
    notAdmitted: "trunks are not admitted from {addresses}",
    notFromHere: "not connected from this process",
    notConnected: "not connected: {failure}",
    lastKnown: "the database does not answer: the switch gets the last known data",
    stale: "not compared with the database for more than {seconds} s: registrations fail, calls are refused with 503"
  },
  de: {
    noSwitch: long(
      "{variable} ist nicht gesetzt: Anrufe werden nicht aufgezeichnet, und Änderungen erreichen die ",
      "Telefonanlage innerhalb einer Minute"
    ),
    gatewaysMissing: "{count} Gateways fehlen, das erste ist {name}",
    otherConfiguration: "die Telefonanlage nimmt ihre Konfiguration nicht von hier (config/switch/xml_curl.conf.xml)",
    profileStopped: "Profil {profile} läuft nicht",
    profileOther: "Profil {profile} läuft mit anderen Einstellungen als unseren",
    restartLater: "es wird neu gestartet, wenn kein Gespräch mehr läuft (jetzt {calls})",
    notAdmitted: "Trunks von {addresses} sind nicht zugelassen",
    notFromHere: "aus diesem Prozess nicht verbunden",
    notConnected: "nicht verbunden: {failure}",
    lastKnown: "die Datenbank antwortet nicht: Die Telefonanlage bekommt den letzten bekannten Stand",
    stale: long(
      "seit mehr als {seconds} s nicht mit der Datenbank verglichen: Anmeldungen scheitern, Anrufe ",
      "werden mit 503 abgelehnt"
    )
  }
})
