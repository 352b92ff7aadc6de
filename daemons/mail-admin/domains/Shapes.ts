/** Field schemas shared by the requests of mail-admin. */
import { Schema } from "effect"
import { maxPassword } from "#core/password/PasswordRules.ts"
import { maxAddress, maxLocalPart, normaliseEmail } from "#protocols/mail-address/EmailAddress.ts"
import { domainName, localPart, maxDomain } from "./Names.ts"

/** Text that `normalise` accepts. An overlong text passes this check, because the length check already reports it. */
const named = (maximum: number, normalise: (text: string) => string | undefined, message: string) =>
  Schema.String.pipe(
    Schema.check(
      Schema.isMinLength(1),
      Schema.isMaxLength(maximum),
      Schema.makeFilter((text: string) =>
        text !== "" && text.length <= maximum && normalise(text) === undefined ? message : undefined
      )
    )
  )

export const DomainName = named(maxDomain, domainName, "must be a domain that can have mail, such as example.org")
export const LocalPart = named(maxLocalPart, localPart, "must be letters, digits, -, _ and single dots between them")
export const Destination = named(2 * maxAddress, normaliseEmail, "must be a whole mail address")

/** A typed password. Unit of its limit: UTF-16 units. */
export const Password = Schema.String.pipe(Schema.check(Schema.isMinLength(1), Schema.isMaxLength(maxPassword)))

/** Largest quota. Unit: MiB. Reason: 1 TiB, more than a mail server stores for one mailbox. */
export const maxQuota = 1_048_576

/** Null: unlimited. */
export const Quota = Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: maxQuota })))
