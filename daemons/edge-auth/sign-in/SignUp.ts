/** Registration. Invalid input gets a message; the answer never reveals whether an address has an account. */
import { Effect, Redacted, Schema } from "effect"
import { transaction } from "#core/sql/Sql.ts"
import { normaliseEmail } from "#protocols/mail-address/EmailAddress.ts"
import { Bcrypt, FirstLink, isHashable, Registrations, Users } from "../accounts/Exports.ts"
import { byUser, note } from "../edge/AuditNote.ts"

/**
 * Shortest password. Unit: code points. Reason: between the minimum with a second factor and the one without. Source:
 * NIST SP 800-63B §3.1.1.2.
 */
export const minPassword = 10

/** Longest name. Unit: UTF-16 units. */
const maxName = 100

export interface Typed {
  readonly email: string
  readonly name: string
  readonly password: string
}

export type Problem = "invalidEmail" | "invalidName" | "invalidPassword"

/** First problem of the input; undefined for valid input. Pure. */
export const problemOf = ({ email, name, password }: Typed): Problem | undefined => {
  if (normaliseEmail(email) === undefined) return "invalidEmail"
  if (name.trim() === "" || name.length > maxName || /\p{Cc}/u.test(name) || !name.isWellFormed()) return "invalidName"
  return Array.from(password).length < minPassword || !isHashable(password) ? "invalidPassword" : undefined
}

/** The first user needs the one-time link. */
export class NeedsLink extends Schema.TaggedError<NeedsLink>()("NeedsLink", {}) {}

/**
 * Registers a user. `link`: token of the one-time link of the first user. Returns whether the user became an
 * administrator as the first of all; false for new and for known addresses alike. Call outside transactions.
 */
export const signUp = Effect.fnUntraced(function* (
  { email, name, password }: Typed,
  { firstIsAdmin, link }: { readonly firstIsAdmin: boolean; readonly link: string | undefined },
  ip: string
) {
  const bcrypt = yield* Bcrypt
  /** Whether this registration makes the first user. Only the holder of the link does. */
  const isFirst = Effect.gen(function* () {
    if (!firstIsAdmin || !(yield* FirstLink.isOpen)) return false
    return (yield* FirstLink.fits(link)) ? true : yield* new NeedsLink()
  })
  yield* Registrations.reserve(ip)
  yield* isFirst
  const hashed = yield* bcrypt.hash(Redacted.make(password))
  const made = yield* transaction(
    Effect.gen(function* () {
      yield* Users.lockRegistrations
      yield* Registrations.failIfFull
      const user = yield* Users.register(
        { email: normaliseEmail(email)!, name: name.trim(), password: hashed },
        yield* isFirst
      )
      if (user !== undefined)
        yield* note(byUser(user.id, ip), "user.registered", "user", user.id, { status: user.status, role: user.role })
      return user
    })
  )
  return made?.role === "admin"
})
