/** Schemas and bounds of fields that several requests share. */
import { Schema } from "effect"
import { maxPassword } from "#core/password/PasswordRules.ts"

/** Longest code read, spaces included. Unit: characters. Reason: a recovery code in its groups has fewer than half. */
const maxCode = 64

/** Text from one to so many characters. */
export const text = (maximum: number) =>
  Schema.String.pipe(Schema.check(Schema.isMinLength(1), Schema.isMaxLength(maximum)))

/** A password as it is typed. Unit of its bound: UTF-16 units. */
export const Password = text(maxPassword)

/** A second factor's code as it is typed. */
export const Code = text(maxCode)
