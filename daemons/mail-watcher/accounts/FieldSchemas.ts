/** Field schemas of requests. */
import { Schema } from "effect"
import { maxAddress, normaliseEmail } from "#protocols/mail-address/EmailAddress.ts"
import { maxHost, normaliseHost } from "./HostName.ts"

/** Text that `normalise` accepts. Text over the length limit fails only the length check. */
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

export const Address = named(2 * maxAddress, normaliseEmail, "must be a whole mail address")
export const Host = named(2 * maxHost, normaliseHost, "must be a host name or an IP address")
export const Port = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 65_535 }))

/** Refuses control characters and lone surrogates, which could break a protocol line. */
const oneLine = Schema.makeFilter((text: string) =>
  /\p{Cc}/u.test(text) || !text.isWellFormed() ? "must not contain control characters" : undefined
)

/**
 * Longest user name and password at a foreign server. Unit: UTF-16 code units. Reason: some providers use tokens of 1
 * kB as passwords.
 */
const maxLogin = 320
const maxSecret = 4096
export const Login = Schema.String.pipe(Schema.check(Schema.isMinLength(1), Schema.isMaxLength(maxLogin), oneLine))
export const Secret = Schema.String.pipe(Schema.check(Schema.isMinLength(1), Schema.isMaxLength(maxSecret), oneLine))

/** Longest display name. Unit: UTF-16 code units. Reason: the name stands encoded in one header line. */
const maxName = 200
export const DisplayName = Schema.String.pipe(Schema.check(Schema.isMaxLength(maxName), oneLine))
