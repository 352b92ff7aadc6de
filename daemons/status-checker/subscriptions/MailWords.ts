/** Texts of mails, in addition to those of the pages. */
import { formatLocaleOf } from "#core/words/ChooseLanguage.ts"
import { long, shippedTexts } from "#core/words/ShippedTexts.ts"
import type { LanguageCode } from "#core/words/TextMemory.ts"

export const mailWords = shippedTexts("status-checker.mails", {
  en: {
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
    why: "You get this e-mail because you subscribed to the status page of {host}.",
    unsubscribe: "Unsubscribe",
    change: "To choose other systems or another language, subscribe again with the same address.",
    subscribeLink: "Change",
    /** Shown after somebody subscribed. It does not tell whether the address was subscribed before. */
    accepted: "Please check your mailbox: the link in the e-mail confirms the subscription.",
    confirm: {
      subject: "Please confirm your subscription",
      lead: "Somebody, hopefully you, wants this address to be told of incidents on the status page of {host}.",
      ask: "Please confirm with this link. What you chose holds from then on.",
      button: "Confirm subscription",
      holds: "The link is valid for {hours} hours.",
      stranger: "It was not you? Then you need not do anything: without your confirmation nothing changes.",
      remove: "With this link you remove your address from the status page, an existing subscription included:"
    }
  },
  de: {
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
    why: "Sie bekommen diese E-Mail, weil Sie die Statusseite von {host} abonniert haben.",
    unsubscribe: "Abbestellen",
    change: "Für andere Systeme oder eine andere Sprache abonnieren Sie einfach noch einmal mit derselben Adresse.",
    subscribeLink: "Ändern",
    accepted: "Bitte sehen Sie in Ihr Postfach: mit dem Link in der E-Mail bestätigen Sie das Abonnement.",
    confirm: {
      subject: "Bitte bestätigen Sie Ihr Abonnement",
      lead: long(
        "Jemand, hoffentlich Sie selbst, möchte über diese Adresse von Störungen ",
        "auf der Statusseite von {host} erfahren."
      ),
      ask: "Bitte bestätigen Sie das mit diesem Link. Ab dann gilt, was Sie ausgewählt haben.",
      button: "Abonnement bestätigen",
      holds: "Der Link gilt {hours} Stunden.",
      stranger: "Das waren nicht Sie? Dann brauchen Sie nichts zu tun: ohne Ihre Bestätigung ändert sich nichts.",
      remove: "Mit diesem Link entfernen Sie Ihre Adresse von der Statusseite, auch ein bestehendes Abonnement:"
    }
  }
})

/** Such as `22 November 2026 at 11:05 UTC`. */
export const moment = (at: string, language: LanguageCode): string => {
  const form = { dateStyle: "long", timeStyle: "short", timeZone: "UTC" } as const
  return `${new Date(at).toLocaleString(formatLocaleOf(language), form)} UTC`
}
