/** Reasons of suggestions and recognised bookings, as people read them. */
import { type Language, catalogue } from "#core/words/Language.ts"
import { decimalOf } from "../bank-store/Money.ts"
import type { Reason } from "../matching/Model.ts"
import type { Recognised } from "./Recognition.ts"

/** A reason as it is stored and answered: amounts are decimal texts. */
export interface StoredReason {
  readonly code: Reason["code"] | "return_of" | "confirmed_currency"
  readonly number?: string
  readonly days?: number
  readonly until?: string
  readonly count?: number
  readonly rest?: string
}

export const stored = (reason: Reason, currency: string): StoredReason =>
  "rest" in reason ? { ...reason, rest: decimalOf(Math.abs(reason.rest), currency) } : reason

type Texts = Readonly<Record<StoredReason["code"], (reason: StoredReason) => string>>

const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`

const reasons = catalogue<Texts>({
  en: {
    number: ({ number }) => `number ${number} in the text`,
    number_damaged: ({ number }) => `a number similar to ${number} in the text`,
    amount: () => "open amount equal",
    amount_less_discount: ({ until }) => `open amount less the cash discount, which is valid until ${until}`,
    amount_of_all: ({ count = 0 }) => `the open amounts of ${count} invoices sum to the amount`,
    amount_less: ({ rest }) => `${rest} less than open`,
    amount_more: ({ rest }) => `${rest} more than open`,
    due: ({ days = 0 }) =>
      days > 0
        ? `due in ${plural(days, "day", "days")}`
        : days === 0
          ? "due today"
          : `due ${plural(-days, "day", "days")} before`,
    counter_iban: () => "IBAN of the customer",
    name: () => "name of the customer",
    other_currency: () => "the invoice has another currency",
    iban_of_other_customer: () => "the IBAN belongs to another customer",
    similar_number: ({ number }) => `${number} has a similar number and fits better`,
    not_unique: () => "other invoices fit as well",
    undone_before: () => "this match was undone before",
    return_of: ({ number }) => (number === undefined ? "return of a payment" : `return of the payment for ${number}`),
    confirmed_currency: () => "a person confirmed the other currency"
  },
  de: {
    number: ({ number }) => `Nummer ${number} im Text`,
    number_damaged: ({ number }) => `ähnliche Nummer wie ${number} im Text`,
    amount: () => "offener Betrag gleich",
    amount_less_discount: ({ until }) => `offener Betrag abzüglich Skonto, das bis ${until} gilt`,
    amount_of_all: ({ count = 0 }) => `die offenen Beträge von ${count} Rechnungen ergeben den Betrag`,
    amount_less: ({ rest }) => `${rest} weniger als offen`,
    amount_more: ({ rest }) => `${rest} mehr als offen`,
    due: ({ days = 0 }) =>
      days > 0
        ? `fällig in ${plural(days, "Tag", "Tagen")}`
        : days === 0
          ? "heute fällig"
          : `seit ${plural(-days, "Tag", "Tagen")} fällig`,
    counter_iban: () => "IBAN des Kunden",
    name: () => "Name des Kunden",
    other_currency: () => "die Rechnung hat eine andere Währung",
    iban_of_other_customer: () => "die IBAN gehört zu einem anderen Kunden",
    similar_number: ({ number }) => `${number} hat eine ähnliche Nummer und passt besser`,
    not_unique: () => "andere Rechnungen passen ebenso",
    undone_before: () => "diese Zuordnung wurde schon rückgängig gemacht",
    return_of: ({ number }) => (number === undefined ? "Rückgabe einer Zahlung" : `Rückgabe der Zahlung für ${number}`),
    confirmed_currency: () => "die andere Währung wurde bestätigt"
  }
})

/** The reason with its text. A code of a newer version has its code as text. */
export const told = (reason: StoredReason, language: Language) => {
  const { code, count, days, number, rest, until } = reason
  const text = Object.hasOwn(reasons[language], code) ? reasons[language][code](reason) : code
  return {
    code,
    text,
    ...(number === undefined ? {} : { number }),
    ...(days === undefined ? {} : { days }),
    ...(until === undefined ? {} : { until }),
    ...(count === undefined ? {} : { count }),
    ...(rest === undefined ? {} : { rest })
  }
}

const recognised = catalogue<Readonly<Record<Recognised, string>>>({
  en: {
    fee: "Fee or interest of the bank",
    own_transfer: "Transfer between own accounts",
    return: "Returned payment; the payment that it returns was not found"
  },
  de: {
    fee: "Entgelt oder Zinsen der Bank",
    own_transfer: "Umbuchung zwischen eigenen Konten",
    return: "Rückgabe; die zurückgegebene Zahlung wurde nicht gefunden"
  }
})

/** Text of a recognised booking, or a person's own words. */
export const ignoredText = (reason: string, language: Language): string =>
  Object.hasOwn(recognised[language], reason) ? recognised[language][reason as Recognised] : reason
