/** The server's errors about a form, by field and in the page's language. */
import { language, words } from "../../lib/Language.ts"
import type { Problem } from "../../lib/Problem.ts"

const t = words({
  en: {
    fields: "Not saved: see the marked fields.",
    row: (at: number, text: string) => `Entry ${at}: ${text}`,
    number: "This number is already in use.",
    domain: "This domain is already in use, here or elsewhere.",
    reserved: "This domain is the provider's own.",
    claims: "Too many domains are not proven yet. Prove or delete some first.",
    pending: "The ownership of the domain is not proven yet.",
    address: "A mailbox or an alias has this address already.",
    loop: "The alias would lead back to itself.",
    notEmpty: "The domain still has mailboxes. Its page deletes both together.",
    rotation: "The domain already has a next key.",
    customer: "A customer has this number already.",
    folder: "A folder has this name already. Choose another name.",
    rule: (value: string) => `Another signature has the rule ${value} already.`,
    used: (by: string) => `Still used by: ${by}. Change those first.`,
    away: "The server does not answer.",
    forbidden: "You may not do this.",
    gone: "It no longer exists.",
    did: "number",
    line: "line",
    ring_group: "ring group",
    ivr_menu: "menu"
  },
  de: {
    fields: "Nicht gespeichert: siehe die markierten Felder.",
    row: (at: number, text: string) => `Eintrag ${at}: ${text}`,
    number: "Diese Nummer ist schon vergeben.",
    domain: "Diese Domain wird schon benutzt, hier oder anderswo.",
    reserved: "Diese Domain gehört dem Betreiber.",
    claims: "Für zu viele Domains fehlt noch der Nachweis. Bitte erst einige nachweisen oder löschen.",
    pending: "Der Besitz der Domain ist noch nicht nachgewiesen.",
    address: "Diese Adresse hat schon ein Postfach oder ein Alias.",
    loop: "Der Alias würde zu sich selbst zurückführen.",
    notEmpty: "Die Domain hat noch Postfächer. Auf ihrer Seite lässt sich beides zusammen löschen.",
    rotation: "Die Domain hat schon einen nächsten Schlüssel.",
    customer: "Diese Nummer hat schon ein Kunde.",
    folder: "So heißt schon ein Ordner. Wählen Sie einen anderen Namen.",
    rule: (value: string) => `Die Regel ${value} hat schon eine andere Signatur.`,
    used: (by: string) => `Wird noch benutzt von: ${by}. Bitte dort zuerst ändern.`,
    away: "Der Server antwortet nicht.",
    forbidden: "Das dürfen Sie nicht.",
    gone: "Es existiert nicht mehr.",
    did: "Rufnummer",
    line: "Leitung",
    ring_group: "Rufgruppe",
    ivr_menu: "Menü"
  }
})

/** German translations of the server's English field errors. Missing ones are shown in English. */
const german: ReadonlyArray<readonly [RegExp, (...found: ReadonlyArray<string>) => string]> = [
  [/^must be a telephone number such as (.+)$/, (such) => `muss eine Telefonnummer sein, etwa ${such}`],
  [/^must be a domain such as (.+)$/, (such) => `muss eine Domain sein, etwa ${such}`],
  [/^must be a host name or an IP address$/, () => "muss ein Hostname oder eine IP-Adresse sein"],
  [
    /^must be digits, or a name of letters, digits, - and _$/,
    () => "muss aus Ziffern bestehen oder ein Name aus Buchstaben, Ziffern, - und _ sein"
  ],
  [
    /^must be digits, \+, \* and \?, or the word anonymous$/,
    () => "darf Ziffern, +, * und ? enthalten, oder das Wort anonymous sein"
  ],
  [/^must be digits, \* or #$/, () => "darf nur Ziffern, * und # enthalten"],
  [/^must be digits$/, () => "muss aus Ziffern bestehen"],
  [/^must be a sound file such as (.+)$/, (such) => `muss eine Klangdatei sein, etwa ${such}`],
  [/^must be an address range such as (.+)$/, (such) => `muss ein Adressbereich sein, etwa ${such}`],
  [/^must be a (?:whole )?mail address.*$/, () => "muss eine ganze Mailadresse sein"],
  [/^must be a domain, or \*\. and a domain$/, () => "muss eine Domain sein, oder *. und eine Domain"],
  [/^must be a phone number$/, () => "muss eine Telefonnummer sein"],
  [/^must be an http or https URL$/, () => "muss eine Adresse mit http:// oder https:// sein"],
  [
    /^must be a handle of 3 to 32 letters, .*$/,
    () => "muss ein Name aus 3 bis 32 Buchstaben, Ziffern und _ sein, oder eine https-Adresse des Messengers"
  ],
  [/^must be a number of at least (\d+) digits$/, (least) => `muss eine Nummer mit mindestens ${least} Ziffern sein`],
  [
    /^must not contain %, \* or \\, and must not begin or end with a space$/,
    () => "darf %, * und \\ nicht enthalten und nicht mit einem Leerzeichen anfangen oder enden"
  ],
  [/^must be a language tag such as de or en-GB$/, () => "muss ein Sprachkürzel sein, etwa de oder en-GB"],
  [/^must be printable ASCII without spaces$/, () => "darf nur druckbares ASCII ohne Leerzeichen enthalten"],
  [/^must be the id of an? .+$/, () => "bitte auswählen: das Gewählte gibt es nicht"],
  [
    /^must be the number of an extension of the same SIP domain$/,
    () => "muss die Nummer einer Nebenstelle derselben SIP-Domain sein"
  ],
  [/^must be a domain that can have mail, such as (.+)$/, (such) => `muss eine Domain für Mail sein, etwa ${such}`],
  [
    /^must be letters, digits, -, _ and single dots between them$/,
    () => "darf Buchstaben, Ziffern, -, _ und einzelne Punkte dazwischen enthalten"
  ],
  [
    /^Use at least (\d+) characters; a few words.*$/,
    (least) => `braucht mindestens ${least} Zeichen; einige Wörter hintereinander merken sich leicht`
  ],
  [/^Use at most (\d+) characters\.$/, (most) => `darf höchstens ${most} Zeichen haben`],
  [/^Do not use control characters, .*$/, () => "darf keine Steuerzeichen enthalten"],
  [/^Use more than one different character\.$/, () => "braucht mehr als ein einziges Zeichen"],
  [/^Do not use your e-mail address\.$/, () => "darf nicht die eigene Mailadresse sein"],
  [/^Choose another password: .*$/, () => "ist eines der häufigsten Passwörter; bitte ein anderes wählen"],
  [/^must not contain control characters$/, () => "darf keine Steuerzeichen enthalten"],
  [/^must not begin or end with a space$/, () => "darf nicht mit einem Leerzeichen anfangen oder enden"],
  [
    /^must have at least (\d+) items$/,
    (least) => `braucht mindestens ${least} ${least === "1" ? "Eintrag" : "Einträge"}`
  ],
  [/^must have at most (\d+) items$/, (most) => `darf höchstens ${most} Einträge haben`],
  [/^is a duplicate$/, () => "steht schon da"],
  [/^is required because the tenant has no SIP domain yet$/, () => "ist nötig, solange es noch keine SIP-Domain gibt"],
  [/^needs username and password$/, () => "braucht Benutzernamen und Passwort"],
  [/^Expected a value with a length of at least 1\b.*$/, () => "darf nicht leer sein"],
  [/^Expected a value with a length of at least (\d+)\b.*$/, (least) => `muss mindestens ${least} Zeichen lang sein`],
  [/^Expected a value with a length of at most (\d+)\b.*$/, (most) => `darf höchstens ${most} Zeichen lang sein`],
  [/^Expected a value between (\d+) and (\d+)\b.*$/, (least, most) => `muss zwischen ${least} und ${most} liegen`],
  [/^Missing key$/, () => "fehlt"],
  [/^is not an IBAN: .*$/, () => "ist keine IBAN: Prüfziffern oder Länge stimmen nicht"],
  [
    /^must be an IBAN with correct check digits, such as (.+)$/,
    (such) => `muss eine IBAN mit richtigen Prüfziffern sein, etwa ${such}`
  ],
  [/^is not a BIC$/, () => "ist keine BIC"],
  [
    /^is required when the other EBICS fields are given$/,
    () => "ist nötig, wenn die anderen EBICS-Felder angegeben sind"
  ],
  [/^must be a public address$/, () => "muss eine öffentliche Adresse sein"],
  [/^must be an https address such as (.+)$/, (such) => `muss eine https-Adresse sein, etwa ${such}`],
  [
    /^must be "off" or the five fields of a cron expression, such as (.+)$/,
    (such) => `muss „off“ oder ein Cron-Ausdruck mit fünf Feldern sein, etwa ${such}`
  ],
  [/^must leave (\d+) minutes between two fetches$/, (least) => `muss ${least} Minuten zwischen zwei Abrufen lassen`],
  [/^must be a decimal number such as .+$/, () => "muss eine Zahl sein, etwa 250,50 oder -12,50"],
  [/^must be an amount in ([A-Z]{3}) such as .+$/, (currency) => `muss ein Betrag in ${currency} sein, etwa 250,50`],
  [/^must be above 0 and below the amount$/, () => "muss größer als 0 und kleiner als der Betrag sein"],
  [/^must be a day such as (.+)$/, (such) => `muss ein Tag sein, etwa ${such}`],
  [/^must not be before issued_on$/, () => "darf nicht vor dem Tag der Ausstellung liegen"],
  [/^must not be before from_date$/, () => "darf nicht vor dem ersten Tag liegen"],
  [/^must not be in the future$/, () => "darf nicht in der Zukunft liegen"],
  [/^must not be 0$/, () => "darf nicht 0 sein"],
  [/^must not be empty$/, () => "darf nicht leer sein"],
  [/^must be an e-mail address$/, () => "muss eine E-Mail-Adresse sein"],
  [
    /^must be a host such as (\S+), and the path begin with \/$/,
    (such) => `muss ein Host sein, etwa ${such}; der Pfad beginnt mit /`
  ],
  [
    /^must be an http:\/\/ or https:\/\/ address of at most (\d+) characters$/,
    (most) => `muss eine Adresse mit http:// oder https:// sein, höchstens ${most} Zeichen`
  ],
  [/^must not contain a user name or password: .*$/, () => "darf keinen Benutzernamen und kein Passwort enthalten"],
  [
    /^must be a host name or an IP address without brackets$/,
    () => "muss ein Hostname oder eine IP-Adresse ohne Klammern sein"
  ],
  [
    /^must be 1 to (\d+) characters of A-Z, .*$/,
    (most) =>
      `darf 1 bis ${most} Zeichen aus A-Z, a-z, 0-9, -, _, . und ~ haben; am Anfang ein Buchstabe oder eine Ziffer`
  ]
]

/** `message` in German; undefined when there is no translation. Pure. */
export const inGerman = (message: string): string | undefined => {
  for (const [pattern, say] of german) {
    const found = pattern.exec(message)
    if (found !== null) return say(...found.slice(1))
  }
  return undefined
}

interface FieldProblem {
  readonly field: string
  readonly message: string
}

const said = ({ message }: FieldProblem): string => (language.value === "de" ? inGerman(message) : undefined) ?? message

/** Errors by field of the form; an error within a list names the entry. */
export const errorsOf = (problem: Problem | undefined): ReadonlyMap<string, string> => {
  const errors = Array.isArray(problem?.fields["errors"])
    ? (problem.fields["errors"] as ReadonlyArray<FieldProblem>)
    : []
  const found = new Map<string, string>()
  for (const error of errors) {
    const [, name, at] = /^payload\.(\w+)(?:\[(\d+)\])?/.exec(error.field) ?? []
    if (name === undefined) continue
    const field = name.startsWith("destination_") ? "destination" : name
    if (!found.has(field)) found.set(field, at === undefined ? said(error) : t().row(Number(at) + 1, said(error)))
  }
  return found
}

/** Error text for the whole form. `shown`: the fields of the form, which show their own errors. */
export const told = (problem: Problem, shown: ReadonlyArray<string> = []): string => {
  if (problem.status === 0) return t().away
  if (problem.status === 403) return t().forbidden
  if (problem.status === 404) return t().gone
  switch (problem.code) {
    case "number_taken":
      return t().number
    case "domain_taken":
      return t().domain
    case "domain_reserved":
      return t().reserved
    case "too_many_claims":
      return t().claims
    case "domain_pending":
      return t().pending
    case "address_taken":
      return t().address
    case "alias_loop":
      return t().loop
    case "domain_not_empty":
      return t().notEmpty
    case "rotation_under_way":
      return t().rotation
    case "customer_number_taken":
      return t().customer
    case "folder_taken":
      return t().folder
    case "signature_rule_taken":
      return t().rule(String(problem.fields["match_value"]))
    case "in_use":
      return t().used(
        (
          problem.fields["used_by"] as ReadonlyArray<{
            readonly type: "did" | "line" | "ring_group" | "ivr_menu"
            readonly name: string
          }>
        )
          .map(({ name, type }) => `${t()[type]} ${name}`)
          .join(", ")
      )
    default: {
      const errors = Array.isArray(problem.fields["errors"])
        ? (problem.fields["errors"] as ReadonlyArray<FieldProblem>)
        : []
      const names = errorsOf(problem)
      if (errors.length > 0 && [...names.keys()].every((name) => shown.includes(name)) && names.size > 0)
        return t().fields
      return errors.length > 0
        ? errors.map((error) => `${error.field.replace(/^payload\.?/, "")} ${said(error)}`.trim()).join("; ")
        : problem.message
    }
  }
}
