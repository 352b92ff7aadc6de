/** Reasons of suggestions and recognised bookings, as people read them. */
import { shippedTexts } from "#core/words/ShippedTexts.ts"
import type { LanguageCode } from "#core/words/TextMemory.ts"
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

const words = shippedTexts("bank-fetcher.reasons", {
  en: {
    number: "number {number} in the text",
    number_damaged: "a number similar to {number} in the text",
    amount: "open amount equal",
    amount_less_discount: "open amount less the cash discount, which is valid until {until}",
    amount_of_all: "the open amounts of {count} invoices sum to the amount",
    amount_less: "{rest} less than open",
    amount_more: "{rest} more than open",
    due_in: "due in {days, plural, one {# day} other {# days}}",
    due_today: "due today",
    due_before: "due {days, plural, one {# day} other {# days}} before",
    counter_iban: "IBAN of the customer",
    name: "name of the customer",
    other_currency: "the invoice has another currency",
    iban_of_other_customer: "the IBAN belongs to another customer",
    similar_number: "{number} has a similar number and fits better",
    not_unique: "other invoices fit as well",
    undone_before: "this match was undone before",
    return_of: "return of the payment for {number}",
    return_of_some: "return of a payment",
    confirmed_currency: "a person confirmed the other currency",
    recognised: {
      fee: "Fee or interest of the bank",
      own_transfer: "Transfer between own accounts",
      return: "Returned payment; the payment that it returns was not found"
    }
  },
  de: {
    number: "Nummer {number} im Text",
    number_damaged: "ähnliche Nummer wie {number} im Text",
    amount: "offener Betrag gleich",
    amount_less_discount: "offener Betrag abzüglich Skonto, das bis {until} gilt",
    amount_of_all: "die offenen Beträge von {count} Rechnungen ergeben den Betrag",
    amount_less: "{rest} weniger als offen",
    amount_more: "{rest} mehr als offen",
    due_in: "fällig in {days, plural, one {# Tag} other {# Tagen}}",
    due_today: "heute fällig",
    due_before: "seit {days, plural, one {# Tag} other {# Tagen}} fällig",
    counter_iban: "IBAN des Kunden",
    name: "Name des Kunden",
    other_currency: "die Rechnung hat eine andere Währung",
    iban_of_other_customer: "die IBAN gehört zu einem anderen Kunden",
    similar_number: "{number} hat eine ähnliche Nummer und passt besser",
    not_unique: "andere Rechnungen passen ebenso",
    undone_before: "diese Zuordnung wurde schon rückgängig gemacht",
    return_of: "Rückgabe der Zahlung für {number}",
    return_of_some: "Rückgabe einer Zahlung",
    confirmed_currency: "die andere Währung wurde bestätigt",
    recognised: {
      fee: "Entgelt oder Zinsen der Bank",
      own_transfer: "Umbuchung zwischen eigenen Konten",
      return: "Rückgabe; die zurückgegebene Zahlung wurde nicht gefunden"
    }
  }
})

type Texts = ReturnType<typeof words>

/** The reason as text; a code of a newer version is its own text. */
const textOf = ({ code, count = 0, days = 0, number, rest = "", until = "" }: StoredReason, t: Texts): string => {
  switch (code) {
    case "number":
    case "number_damaged":
    case "similar_number":
      return t[code]({ number: number ?? "" })
    case "amount_less_discount":
      return t[code]({ until })
    case "amount_of_all":
      return t[code]({ count })
    case "amount_less":
    case "amount_more":
      return t[code]({ rest })
    case "due":
      return days > 0 ? t.due_in({ days }) : days === 0 ? t.due_today : t.due_before({ days: -days })
    case "return_of":
      return number === undefined ? t.return_of_some : t.return_of({ number })
    default:
      return t[code] ?? code
  }
}

/** The reason with its text. */
export const told = (reason: StoredReason, language: LanguageCode) => {
  const { code, count, days, number, rest, until } = reason
  return {
    code,
    text: textOf(reason, words(language)),
    ...(number === undefined ? {} : { number }),
    ...(days === undefined ? {} : { days }),
    ...(until === undefined ? {} : { until }),
    ...(count === undefined ? {} : { count }),
    ...(rest === undefined ? {} : { rest })
  }
}

/** Text of a recognised booking, or a person's own words. */
export const ignoredText = (reason: string, language: LanguageCode): string => {
  const { recognised } = words(language)
  return Object.hasOwn(recognised, reason) ? recognised[reason as Recognised] : reason
}
