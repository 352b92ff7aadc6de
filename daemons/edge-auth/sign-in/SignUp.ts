/** Registering: checked in words for people, and never telling whether an address is known. */
import { Effect, Redacted } from "effect"
import { transaction } from "#core/sql/Sql.ts"
import { normaliseEmail } from "#protocols/mail-address/EmailAddress.ts"
import { Bcrypt, isHashable, Users } from "../accounts/Exports.ts"
import { byUser, note } from "../edge/AuditNote.ts"

/** Unit: characters (code points). Source: NIST SP 800-63B §3.1.1.2, between with and without a second factor. */
export const minPassword = 10

/** Unit: UTF-16 units. */
const maxName = 100

export interface Typed {
  readonly email: string
  readonly name: string
  readonly password: string
}

export type Problem = "invalidEmail" | "invalidName" | "invalidPassword"

/** What is wrong with what was typed. Pure. */
export const problemOf = ({ email, name, password }: Typed): Problem | undefined => {
  if (normaliseEmail(email) === undefined) return "invalidEmail"
  if (name.trim() === "" || name.length > maxName || /\p{Cc}/u.test(name) || !name.isWellFormed()) return "invalidName"
  return Array.from(password).length < minPassword || !isHashable(password) ? "invalidPassword" : undefined
}

/**
 * Answers whether this is the first, who is an admin; the same for everybody else, known or not. Call outside
 * transactions.
 */
export const signUp = Effect.fnUntraced(function* (
  { email, name, password }: Typed,
  firstIsAdmin: boolean,
  ip: string
) {
  const bcrypt = yield* Bcrypt
  const hashed = yield* bcrypt.hash(Redacted.make(password))
  const made = yield* transaction(
    Effect.gen(function* () {
      const user = yield* Users.register(
        { email: normaliseEmail(email)!, name: name.trim(), password: hashed },
        firstIsAdmin
      )
      if (user !== undefined)
        yield* note(byUser(user.id, ip), "user.registered", "user", user.id, { status: user.status, role: user.role })
      return user
    })
  )
  return made?.role === "admin"
})
