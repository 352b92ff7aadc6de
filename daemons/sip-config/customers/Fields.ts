/** Schemas of customer fields, shared by requests and CSV rows. */
import { Schema } from "effect"
import { plainText } from "#core/http/Paging.ts"
import { normaliseEmail } from "#protocols/mail-address/EmailAddress.ts"
import { PhoneNumber } from "../directory/Exports.ts"

/**
 * Maximum number of phone numbers of one customer. Reason: enough for a company with branches; each number is a row to
 * write.
 */
export const maxPhones = 20

/** Longest language tag. Unit: characters. Reason: RFC 5646 §4.4.1 asks for room for 35. */
const maxLocale = 35

/** Locale of a customer created without one. */
export const defaultLocale = "de"

/** Canonical spelling of a language tag; undefined when it is invalid. Source: RFC 5646 §2.1, §4.5. */
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

/** Customer number, as an ERP system assigns it. */
export const CustomerNumber = plainText(64).pipe(
  Schema.check(
    Schema.makeFilter((text: string) => (text.trim() === text ? undefined : "must not begin or end with a space"))
  )
)

export const CustomerName = plainText(200)

export const Phones = Schema.Array(PhoneNumber).pipe(Schema.check(Schema.isMaxLength(maxPhones)))

/** Optional fields of a customer. */
const optional = {
  locale: Schema.optionalKey(Locale),
  email: Schema.optionalKey(Schema.NullOr(Email)),
  /** Any spelling; stored and returned as E.164. */
  phones: Schema.optionalKey(Phones)
}

export const NewCustomer = Schema.Struct({ number: CustomerNumber, name: CustomerName, ...optional })
/** Fields to change; missing fields stay. */
export const CustomerChange = Schema.Struct({
  number: Schema.optionalKey(CustomerNumber),
  name: Schema.optionalKey(CustomerName),
  ...optional
})
