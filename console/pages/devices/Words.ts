/** Texts that several pages about devices share. */
import { words } from "../../lib/Language.ts"
import type { Problem } from "../../lib/Problem.ts"
import { refusedBy } from "../../parts/Refused.tsx"

export const deviceWords = words({
  en: {
    platform: "Platform",
    webdav: "Files",
    carddav: "Contacts",
    caldav: "Calendar",
    mail: "Mail",
    sip: "Telephony",
    unused: "not used yet",
    used: "used",
    expired: "expired",
    revoked: "revoked",
    gone: "This no longer exists. Perhaps somebody else has just changed it.",
    exceeds: "This person has a role with more rights than yours.",
    inactive: "This person cannot sign in at the moment.",
    tooMany: "There are too many unused links for this person. Revoke some first.",
    mailAway: "The mail server does not accept the mail. Send the link in another way.",
    template: "The configuration is not a JSON object.",
    slugTaken: "Another one has this short name. Choose another.",
    isBase: "A service that is always booked stays. Switch that off first.",
    inUse: "A subscription or a rule names this package. Remove those first.",
    mailOften: "The link was just sent. Wait a few minutes.",
    other: (text: string) => `That did not work: ${text}`
  },
  de: {
    platform: "Plattform",
    webdav: "Dateien",
    carddav: "Kontakte",
    caldav: "Kalender",
    mail: "E-Mail",
    sip: "Telefonie",
    unused: "noch nicht benutzt",
    used: "benutzt",
    expired: "abgelaufen",
    revoked: "widerrufen",
    gone: "Das gibt es nicht mehr. Vielleicht hat es gerade jemand geändert.",
    exceeds: "Diese Person hat eine Rolle mit mehr Rechten als Ihre.",
    inactive: "Diese Person kann sich zurzeit nicht anmelden.",
    tooMany: "Für diese Person gibt es zu viele unbenutzte Links. Widerrufen Sie zuerst einige.",
    mailAway: "Der Mailserver nimmt die Mail nicht an. Senden Sie den Link auf anderem Weg.",
    template: "Die Konfiguration ist kein JSON-Objekt.",
    slugTaken: "Diesen Kurznamen gibt es schon. Wählen Sie einen anderen.",
    isBase: "Ein immer gebuchter Dienst bleibt. Schalten Sie das zuerst aus.",
    inUse: "Ein Abonnement oder eine Regel nennt dieses Paket. Entfernen Sie sie zuerst.",
    mailOften: "Der Link wurde gerade gesendet. Warten Sie einige Minuten.",
    other: (text: string) => `Das ging nicht: ${text}`
  }
})

const features = ["platform", "webdav", "carddav", "caldav", "mail", "sip"] as const

/** Name of a feature in the page's language. Unknown features are shown by their code. */
export const featureName = (feature: string): string => {
  const known = features.find((one) => one === feature)
  return known === undefined ? feature : deviceWords()[known]
}

const codes: Readonly<
  Record<
    string,
    | "gone"
    | "exceeds"
    | "inactive"
    | "tooMany"
    | "mailAway"
    | "mailOften"
    | "template"
    | "slugTaken"
    | "isBase"
    | "inUse"
  >
> = {
  not_found: "gone",
  role_exceeds_own: "exceeds",
  user_not_active: "inactive",
  too_many_tokens: "tooMany",
  link_mail_failed: "mailAway",
  too_many_requests: "mailOften",
  slug_taken: "slugTaken",
  service_is_base: "isBase",
  package_in_use: "inUse",
  // Of the page itself.
  invalid_template: "template"
}

/** An error of the server as a sentence in the page's language. */
export const told = (problem: Problem): string => {
  const known = codes[problem.code]
  return known === undefined ? deviceWords().other(problem.message) : deviceWords()[known]
}

/** Shows the error of an action. */
export const Refused = refusedBy(told)
