/** Fields of a contact and their normalisation. Pure. Rules for links: core/html/Links. */
import * as Links from "#core/html/Links.ts"
import { normaliseEmail } from "#protocols/mail-address/EmailAddress.ts"
import { fold, foldPerson } from "./Folding.ts"

/** Longest name and note. Unit: characters. */
export const maxName = 200
export const maxNote = 10_000

/**
 * Maximum number of mail addresses per contact, of phone numbers and of websites. Unit: values. Reason: a company with
 * all its departments.
 */
export const maxValues = 20

/** Stored form: values are cleaned and unique. */
export interface ContactFields {
  readonly name: string
  readonly company: string
  /** Normalised like recent recipients. */
  readonly emails: ReadonlyArray<string>
  readonly phones: ReadonlyArray<string>
  readonly websites: ReadonlyArray<string>
  /** Handle or https address. */
  readonly messenger: string | null
  readonly chat_app: string | null
  readonly note: string
}

/** Cleans a value. Undefined: the value is invalid. */
export const links = {
  emails: (value: string) => normaliseEmail(Links.email(value) ?? ""),
  phones: Links.phone,
  websites: Links.website,
  messenger: Links.messenger,
  chat_app: Links.chatApp
}

/**
 * Longest indexed word and indexed words per contact. Units: characters, words. Reason: keeps the index small; nobody
 * types more.
 */
export const maxWord = 64
const maxWords = 100

/** Folded text that a list search compares with. */
export const foldContact = ({ company, emails, name, phones }: ContactFields): string =>
  fold(
    [
      name,
      company,
      ...emails.map((email) => foldPerson("", email)),
      ...phones,
      ...phones.map((phone) => phone.replace(/\D/g, ""))
    ].join(" ")
  )

/** Words whose prefixes find the contact: words of the name, the company and the addresses, and their parts. */
export const wordsOf = ({ company, emails, name }: ContactFields): ReadonlyArray<string> => {
  const whole = fold([name, company, ...emails.map((email) => foldPerson("", email))].join(" ")).split(" ")
  const parts = whole.flatMap((word) => word.split(/[^\p{L}\p{N}]+/u))
  return [...new Set([...whole, ...parts].map((word) => Array.from(word).slice(0, maxWord).join("")))]
    .filter((word) => word !== "")
    .slice(0, maxWords)
}
