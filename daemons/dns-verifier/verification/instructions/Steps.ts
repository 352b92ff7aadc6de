/** Instructions for the owner of a domain, as sentences in their language. Pure. */
import type { RecordStatus } from "#core/contracts/MailDomains.ts"
import type { Language } from "#core/words/Language.ts"
import { hintAt } from "./ProviderHints.ts"
import { written } from "./ZoneSnippet.ts"

export interface Instructed {
  readonly type: string
  readonly name: string
  readonly content: string
  readonly status: RecordStatus
  readonly found: ReadonlyArray<string>
}

export interface Situation {
  /** Display name. */
  readonly domain: string
  /** Whether we write the zone ourselves. */
  readonly managed: boolean
  /** Type or name from ProviderDetection; null: unknown. */
  readonly provider: string | null
  /** Display name of the provider; null: unknown. */
  readonly title: string | null
  /** Whether we could write the zone if we had an account. */
  readonly could: boolean
  /** In the order of the instructions. */
  readonly records: ReadonlyArray<Instructed>
}

/** Maximum number of current values named per record. Reason: one sentence. */
const maxNamed = 3

export const steps = (
  { could, domain, managed, provider, records, title }: Situation,
  language: Language
): ReadonlyArray<string> => {
  const say = words[language]
  const open = records.filter(({ status }) => status !== "ok")
  if (records.length === 0) return [say.waiting]
  if (open.length === 0) return [say.done]
  if (managed) return [say.managed]
  const place = hintAt(provider, language)
  return [
    ...(could && title !== null ? [say.could(title)] : []),
    title === null ? say.somewhere(domain) : say.at(domain, title),
    ...(place === undefined ? [] : [place]),
    ...open.map((record) => {
      const content = written(record.type, record.content)
      const found = record.found.slice(0, maxNamed).join(", ")
      return record.status === "wrong" && record.type !== "TXT" && found !== ""
        ? say.replace(record.type, record.name, found, content)
        : say.add(record.type, record.name, content)
    }),
    say.afterwards
  ]
}

interface Words {
  readonly waiting: string
  readonly done: string
  readonly managed: string
  readonly could: (title: string) => string
  readonly at: (domain: string, title: string) => string
  readonly somewhere: (domain: string) => string
  readonly add: (type: string, name: string, content: string) => string
  readonly replace: (type: string, name: string, found: string, content: string) => string
  readonly afterwards: string
}

const words: Readonly<Record<Language, Words>> = {
  en: {
    waiting: "Our own address is not set up yet. The records appear here as soon as it is.",
    done: "All records are as they should be. There is nothing to do.",
    managed:
      "We write these records automatically, with the account of the domain. If a record stays missing, create a " +
      "plan: it shows the reason.",
    could: (title) => `Give us an account at ${title}, and we write the records for you. To write them yourself:`,
    at: (domain, title) => `Sign in at ${title} and open the DNS settings of ${domain}.`,
    somewhere: (domain) =>
      `Sign in at the DNS provider of ${domain}, usually the company that registered it, and open the DNS settings.`,
    add: (type, name, content) => `Add a record: type ${type}, name ${name}, content ${content}`,
    replace: (type, name, found, content) =>
      `Replace the record of type ${type}, name ${name} (now ${found}) with ${content}`,
    afterwards:
      "Save, then start a check. The change is visible everywhere after some minutes, at the latest after a day."
  },
  de: {
    waiting: "Unsere eigene Adresse ist noch nicht eingerichtet. Die Einträge erscheinen hier, sobald sie es ist.",
    done: "Alle Einträge sind, wie sie sein sollen. Es ist nichts zu tun.",
    managed:
      "Diese Einträge schreiben wir automatisch, mit dem Konto der Domain. Fehlt ein Eintrag länger, erstellen Sie " +
      "einen Plan: Er zeigt den Grund.",
    could: (title) =>
      `Geben Sie uns ein Konto bei ${title}, und wir schreiben die Einträge für Sie. Um sie selbst zu schreiben:`,
    at: (domain, title) => `Melden Sie sich bei ${title} an und öffnen Sie die DNS-Einstellungen von ${domain}.`,
    somewhere: (domain) =>
      `Melden Sie sich dort an, wo das DNS von ${domain} geführt wird, meist wo Sie die Domain ` +
      `registriert haben, und öffnen Sie ihre DNS-Einstellungen.`,
    add: (type, name, content) => `Fügen Sie einen Eintrag hinzu: Typ ${type}, Name ${name}, Inhalt ${content}`,
    replace: (type, name, found, content) =>
      `Ersetzen Sie den Eintrag vom Typ ${type}, Name ${name} (jetzt ${found}) durch ${content}`,
    afterwards:
      "Speichern Sie, und starten Sie dann eine Prüfung. Die Änderung ist nach einigen Minuten überall sichtbar, " +
      "spätestens nach einem Tag."
  }
}

/** `2 of 3 records are correct`. */
export const summary = (records: ReadonlyArray<Pick<Instructed, "status">>, language: Language): string => {
  const right = records.filter(({ status }) => status === "ok").length
  return language === "de"
    ? `${right} von ${records.length} Einträgen sind richtig`
    : `${right} of ${records.length} records are correct`
}
