/** What a contact holds, and how what somebody wrote becomes what is kept. Pure. Source of the rules for links: spec 3 §2.6 (core/html/Links). */
import * as Links from "#core/html/Links.ts"
import { normaliseEmail } from "#protocols/mail-address/EmailAddress.ts"
import { fold, foldPerson } from "./Folding.ts"

/** Unit: characters. */
export const maxName = 200
export const maxNote = 10_000

/** Mail addresses, numbers or websites of one contact, of each. Unit: values. Reason: a firm with all its departments. */
export const maxValues = 20

/** As it is kept: every value cleaned, none twice. */
export interface ContactFields {
  readonly name: string
  readonly company: string
  /** Normalised, as recent recipients are. */
  readonly emails: ReadonlyArray<string>
  readonly phones: ReadonlyArray<string>
  readonly websites: ReadonlyArray<string>
  /** Handle or https address. */
  readonly messenger: string | null
  readonly chat_app: string | null
  readonly note: string
}

/** Each gives the value to keep, or undefined when it is none. */
export const links = {
  emails: (value: string) => normaliseEmail(Links.email(value) ?? ""),
  phones: Links.phone,
  websites: Links.website,
  messenger: Links.messenger,
  chat_app: Links.chatApp
}

/** Longest word that the index of words knows, and most words of one contact. Units: characters, words. Reason: bounds of an index; nobody types more. */
export const maxWord = 64
const maxWords = 100

/** What a list is searched for. */
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

/** Beginnings that a contact is found by: its words, the parts of these, its addresses and their parts. */
export const wordsOf = ({ company, emails, name }: ContactFields): ReadonlyArray<string> => {
  const whole = fold([name, company, ...emails.map((email) => foldPerson("", email))].join(" ")).split(" ")
  const parts = whole.flatMap((word) => word.split(/[^\p{L}\p{N}]+/u))
  return [...new Set([...whole, ...parts].map((word) => Array.from(word).slice(0, maxWord).join("")))]
    .filter((word) => word !== "")
    .slice(0, maxWords)
}
