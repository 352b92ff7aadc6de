/** Shapes that the requests of mail-admin share. */
import { Schema } from "effect"
import { maxPassword } from "#core/password/PasswordRules.ts"
import { maxAddress, maxLocalPart, normaliseEmail } from "#protocols/mail-address/EmailAddress.ts"
import { domainName, localPart, maxDomain } from "./Names.ts"

/** Text that `normalise` takes; what is too long says so by itself. */
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

/** As it is typed. Unit of its bound: UTF-16 units. */
export const Password = Schema.String.pipe(Schema.check(Schema.isMinLength(1), Schema.isMaxLength(maxPassword)))

/** Largest quota. Unit: MiB. Reason: one TiB, more than a mail server keeps for one. */
export const maxQuota = 1_048_576

/** Null: no bound but the disk's. */
export const Quota = Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: maxQuota })))

export const strict = { errors: "all", onExcessProperty: "error" } as const
