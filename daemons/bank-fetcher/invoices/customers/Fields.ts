/** Fields of customers' IBANs in requests. */
import { Schema } from "effect"
import { ibanOf } from "../../bank-store/Iban.ts"

/** Most IBANs of one customer. Reason: a company with branches has a few; each is an entry of the index of payers. */
export const maxIbans = 20

/** Longest spelling of an IBAN. Unit: characters. Reason: 34 with a blank after each four, and some to spare. */
const maxSpelling = 50

/** An IBAN with or without blanks, in any letter case. */
export const Iban = Schema.String.pipe(
  Schema.check(
    Schema.isMaxLength(maxSpelling),
    Schema.makeFilter((text: string) =>
      text.length <= maxSpelling && ibanOf(text) === undefined
        ? "must be an IBAN with correct check digits, such as DE02120300000000202051"
        : undefined
    )
  )
)
