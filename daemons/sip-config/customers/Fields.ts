/** What may stand in the fields of a customer, for requests and for rows of a file alike. */
import { Schema } from "effect"
import { plainText } from "#core/http/Paging.ts"
import { normaliseEmail } from "#protocols/mail-address/EmailAddress.ts"
import { PhoneNumber } from "../directory/Exports.ts"

/** Unit: phone numbers of one customer. Reason: a company with its branches; each is a row to write. */
export const maxPhones = 20

/** Unit: characters. Reason: longest language tag anybody uses; RFC 5646 §4.4.1 asks for room for 35. */
const maxLocale = 35

/** In which a customer is announced when nobody says. */
export const defaultLocale = "de"

/** The canonical spelling of a language tag, or undefined when it is none. Source: RFC 5646 §2.1, §4.5. */
export const canonicalLocale = (tag: string): string | undefined => {
  try {
    return tag.length > maxLocale ? undefined : Intl.getCanonicalLocales(tag)[0]
  } catch {
    return undefined
  }
}

export const Locale = Schema.String.pipe(
  Schema.check(
    Schema.isMaxLength(maxLocale),
    Schema.makeFilter((tag: string) =>
      canonicalLocale(tag) === undefined ? "must be a language tag such as de or en-GB" : undefined
    )
  )
)

export const Email = Schema.String.pipe(
  Schema.check(
    Schema.isMaxLength(254),
    Schema.makeFilter((text: string) =>
      normaliseEmail(text) === undefined ? "must be a mail address such as ann@example.org" : undefined
    )
  )
)

/** The customer's number: as an ERP counts them. */
export const CustomerNumber = plainText(64).pipe(
  Schema.check(
    Schema.makeFilter((text: string) => (text.trim() === text ? undefined : "must not begin or end with a space"))
  )
)

export const CustomerName = plainText(200)

export const Phones = Schema.Array(PhoneNumber).pipe(Schema.check(Schema.isMaxLength(maxPhones)))

/** What of a customer may be left out. */
const optional = {
  locale: Schema.optionalKey(Locale),
  email: Schema.optionalKey(Schema.NullOr(Email)),
  /** In any spelling; kept and answered as E.164. */
  phones: Schema.optionalKey(Phones)
}

/** A new customer. */
export const NewCustomer = Schema.Struct({ number: CustomerNumber, name: CustomerName, ...optional })
/** What is named changes. */
export const CustomerChange = Schema.Struct({
  number: Schema.optionalKey(CustomerNumber),
  name: Schema.optionalKey(CustomerName),
  ...optional
})
