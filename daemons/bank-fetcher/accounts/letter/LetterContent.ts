/**
 * Contents of the INI and HIA letters in both languages, one page a key. Pure. Source: EBICS 2.5 §4.4.1.2.3, customary
 * layout of the German banks.
 */
import { letterKey, type LetterKey } from "#protocols/ebics/Letter.ts"
import { type Catalogue, catalogue, formatLocales, type Language } from "#core/words/Language.ts"
import type { SentKey } from "#protocols/ebics/PublicKeyInfo.ts"

export interface LetterSubject {
  readonly hostId: string
  readonly partnerId: string
  readonly userId: string
  readonly bic: string | null
  readonly iban: string
  /** Who signs. */
  readonly holder: string
  /** When the keys were sent. */
  readonly at: Date
  /** H005: the certificates are compared, not the keys. */
  readonly withCertificates: boolean
  readonly keys: ReadonlyArray<{ readonly version: string; readonly sent: SentKey }>
}

/** A block of text in a fixed-width font, with its heading. */
export interface Block {
  readonly heading: string
  readonly lines: ReadonlyArray<string>
}

export interface LetterPage {
  readonly title: string
  readonly rows: ReadonlyArray<readonly [label: string, value: string]>
  readonly blocks: ReadonlyArray<Block>
  readonly confirmation: string
  /** Labels below the lines to sign on. */
  readonly signature: ReadonlyArray<string>
  /** For example `1 / 3`. */
  readonly footer: string
}

interface Words {
  readonly ini: string
  readonly hia: string
  readonly date: string
  readonly time: string
  readonly host: string
  readonly bic: string
  readonly partner: string
  readonly user: string
  readonly name: string
  readonly iban: string
  readonly version: string
  readonly exponent: string
  readonly modulus: string
  readonly keyHash: string
  readonly certificate: string
  readonly certificateHash: string
  readonly purposes: Readonly<Record<string, string>>
  readonly confirmation: string
  readonly place: string
  readonly company: string
  readonly sign: string
  readonly page: string
}

const words: Catalogue<Words> = catalogue<Words>({
  en: {
    ini: "EBICS initialisation letter (INI)",
    hia: "EBICS initialisation letter (HIA)",
    date: "Date",
    time: "Time (UTC)",
    host: "Host ID of the bank",
    bic: "BIC of the bank",
    partner: "Customer ID (partner ID)",
    user: "User ID",
    name: "Name",
    iban: "Account (IBAN)",
    version: "Version",
    exponent: "Exponent",
    modulus: "Modulus",
    keyHash: "Hash of the public key (SHA-256)",
    certificate: "Certificate",
    certificateHash: "Hash of the certificate (SHA-256)",
    purposes: { A: "electronic signature", X: "authentication signature", E: "encryption" },
    confirmation: "I hereby confirm the above public key for my electronic communication with the bank.",
    place: "Place, date",
    company: "Name, company",
    sign: "Signature",
    page: "Page"
  },
  de: {
    ini: "EBICS-Initialisierungsbrief (INI)",
    hia: "EBICS-Initialisierungsbrief (HIA)",
    date: "Datum",
    time: "Uhrzeit (UTC)",
    host: "Host-ID der Bank",
    bic: "BIC der Bank",
    partner: "Kunden-ID (Partner-ID)",
    user: "Teilnehmer-ID (User-ID)",
    name: "Name",
    iban: "Konto (IBAN)",
    version: "Version",
    exponent: "Exponent",
    modulus: "Modulus",
    keyHash: "Hashwert des öffentlichen Schlüssels (SHA-256)",
    certificate: "Zertifikat",
    certificateHash: "Hashwert des Zertifikats (SHA-256)",
    purposes: { A: "Elektronische Unterschrift", X: "Authentifikationssignatur", E: "Verschlüsselung" },
    confirmation: "Ich bestätige hiermit den obigen öffentlichen Schlüssel für meine Kommunikation mit der Bank.",
    place: "Ort, Datum",
    company: "Name, Firma",
    sign: "Unterschrift",
    page: "Seite"
  }
})

/** Title of the PDF file. */
export const titleOf = (language: Language): string => `${words[language].ini}, ${words[language].hia}`

export const pagesOf = (subject: LetterSubject, language: Language): ReadonlyArray<LetterPage> =>
  subject.keys.map(({ sent: { certificate, key }, version }, index) => {
    const text = words[language]
    const compared = subject.withCertificates && certificate !== undefined ? { key, certificate } : { key }
    return {
      title: version.startsWith("A") ? text.ini : text.hia,
      rows: rowsOf(subject, version, language),
      blocks: blocksOf(letterKey(version, compared), text),
      confirmation: text.confirmation,
      signature: [text.place, text.company, text.sign],
      footer: `${text.page} ${index + 1} / ${subject.keys.length}`
    }
  })

const rowsOf = (subject: LetterSubject, version: string, language: Language): LetterPage["rows"] => {
  const text = words[language]
  const day = new Intl.DateTimeFormat(formatLocales[language], { dateStyle: "medium", timeZone: "UTC" })
  return [
    [text.date, day.format(subject.at)],
    [text.time, subject.at.toISOString().slice(11, 19)],
    [text.host, subject.hostId],
    ...(subject.bic === null ? [] : [[text.bic, subject.bic] as const]),
    [text.partner, subject.partnerId],
    [text.user, subject.userId],
    [text.name, subject.holder],
    [text.iban, subject.iban.replace(/(.{4})(?=.)/g, "$1 ")],
    [text.version, `${version} (${text.purposes[version.slice(0, 1)]})`]
  ]
}

/** The bank compares the certificate when there is one, else the key. */
const blocksOf = (key: LetterKey, text: Words): ReadonlyArray<Block> =>
  key.certificate === undefined
    ? [
        { heading: `${text.exponent} (${key.exponent.bits} bit)`, lines: key.exponent.lines },
        { heading: `${text.modulus} (${key.modulus.bits} bit)`, lines: key.modulus.lines },
        { heading: text.keyHash, lines: key.hash }
      ]
    : [
        { heading: text.certificate, lines: key.certificate.trimEnd().split("\n") },
        { heading: text.certificateHash, lines: key.hash }
      ]
