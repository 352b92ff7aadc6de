/** Normalises the fields of a customer to their stored form. Pure. */
import type { CountryCode } from "libphonenumber-js/min"
import { normaliseEmail } from "#protocols/mail-address/EmailAddress.ts"
import { e164 } from "../directory/Exports.ts"
import type { CustomerChange } from "./Fields.ts"
import { canonicalLocale } from "./Fields.ts"

export interface Normalised {
  readonly number?: string
  readonly name?: string
  readonly locale?: string
  readonly email?: string | null
  /** E.164, without duplicates, in the given order. */
  readonly phones?: ReadonlyArray<string>
}

/**
 * Fields in their stored form, or the index of the first invalid phone number. `country`: country of numbers without a
 * country code.
 */
export const normalised = (
  fields: typeof CustomerChange.Type,
  country: CountryCode
): Normalised | { readonly noNumber: number } => {
  const { email, locale, phones, ...rest } = fields
  const numbers = phones?.map((phone) => e164(phone, country))
  const wrong = numbers?.indexOf(undefined) ?? -1
  if (wrong !== -1) return { noNumber: wrong }
  return {
    ...rest,
    ...(locale === undefined ? {} : { locale: canonicalLocale(locale)! }),
    ...(email === undefined ? {} : { email: email === null ? null : normaliseEmail(email)! }),
    ...(numbers === undefined ? {} : { phones: [...new Set(numbers as ReadonlyArray<string>)] })
  }
}
