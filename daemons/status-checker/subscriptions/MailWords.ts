/** Texts of mails in German and English, in addition to those of the pages. Pure. */
import { type Catalogue, formatLocales, type Language } from "#core/words/Language.ts"
import { linkHours } from "./SignUpLimits.ts"

const en = {
  status: "Status",
  affects: "Affects",
  severity: "Severity",
  reported: "Reported",
  begins: "Begins",
  ends: "Ends",
  all: "all systems",
  maintenance: "Planned maintenance",
  open: "Open the status page",
  openIncident: "Open this incident",
  why: (host: string) => `You get this e-mail because you subscribed to the status page of ${host}.`,
  unsubscribe: "Unsubscribe",
  change: "To choose other systems or the other language, subscribe again with the same address.",
  subscribeLink: "Change",
  confirm: {
    subject: "Please confirm your subscription",
    lead: (host: string) =>
      `Somebody, hopefully you, wants this address to be told of incidents on the status page of ${host}.`,
    ask: "Please confirm with this link. What you chose holds from then on.",
    button: "Confirm subscription",
    holds: `The link is valid for ${linkHours} hours.`,
    stranger: "It was not you? Then you need not do anything: without your confirmation nothing changes.",
    remove: "With this link you remove your address from the status page, an existing subscription included:"
  }
}

const de: typeof en = {
  status: "Stand",
  affects: "Betrifft",
  severity: "Schwere",
  reported: "Gemeldet",
  begins: "Beginn",
  ends: "Ende",
  all: "alle Systeme",
  maintenance: "Geplante Wartung",
  open: "Statusseite öffnen",
  openIncident: "Diese Störung öffnen",
  why: (host) => `Sie bekommen diese E-Mail, weil Sie die Statusseite von ${host} abonniert haben.`,
  unsubscribe: "Abbestellen",
  change: "Für andere Systeme oder die andere Sprache abonnieren Sie einfach noch einmal mit derselben Adresse.",
  subscribeLink: "Ändern",
  confirm: {
    subject: "Bitte bestätigen Sie Ihr Abonnement",
    lead: (host) =>
      "Jemand, hoffentlich Sie selbst, möchte über diese Adresse von Störungen " +
      `auf der Statusseite von ${host} erfahren.`,
    ask: "Bitte bestätigen Sie das mit diesem Link. Ab dann gilt, was Sie ausgewählt haben.",
    button: "Abonnement bestätigen",
    holds: `Der Link gilt ${linkHours} Stunden.`,
    stranger: "Das waren nicht Sie? Dann brauchen Sie nichts zu tun: ohne Ihre Bestätigung ändert sich nichts.",
    remove: "Mit diesem Link entfernen Sie Ihre Adresse von der Statusseite, auch ein bestehendes Abonnement:"
  }
}

export const mailWords: Readonly<Record<Language, typeof en>> = { de, en }

/** Answer to a subscription request, the same for known and unknown addresses. */
export const acceptedWords: Readonly<Record<Language, string>> = {
  de: "Bitte sehen Sie in Ihr Postfach: mit dem Link in der E-Mail bestätigen Sie das Abonnement.",
  en: "Please check your mailbox: the link in the e-mail confirms the subscription."
}

const moments: Catalogue<Intl.DateTimeFormat> = {
  de: new Intl.DateTimeFormat(formatLocales.de, { dateStyle: "long", timeStyle: "short", timeZone: "UTC" }),
  en: new Intl.DateTimeFormat(formatLocales.en, { dateStyle: "long", timeStyle: "short", timeZone: "UTC" })
}

/** Such as `22 November 2026 at 11:05 UTC`. */
export const moment = (at: string, language: Language): string => `${moments[language].format(Date.parse(at))} UTC`
