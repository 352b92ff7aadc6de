/** Field schemas and limits that several requests share. */
import { Schema } from "effect"
import { maxPassword } from "#core/password/PasswordRules.ts"

/** Longest accepted code, spaces included. Unit: characters. Reason: a recovery code has fewer than half. */
const maxCode = 64

/** Text of one to `maximum` characters. */
export const text = (maximum: number) =>
  Schema.String.pipe(Schema.check(Schema.isMinLength(1), Schema.isMaxLength(maximum)))

/** A typed password. Unit of the limit: UTF-16 units. */
export const Password = text(maxPassword)

/** A typed second-factor code. */
export const Code = text(maxCode)
