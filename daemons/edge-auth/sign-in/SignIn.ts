/**
 * Sign-in by password and second factor. An unknown address, a wrong password, a pending and a blocked user get the
 * same answer after the same work. Only a right password of an active user leads to the question for a code.
 */
import { Effect, Redacted, Schema } from "effect"
import { transaction } from "#core/sql/Sql.ts"
import { normaliseEmail } from "#protocols/mail-address/EmailAddress.ts"
import { Refusals } from "../edge/Refusals.ts"
import {
  Attempts,
  Bcrypt,
  BcryptCost,
  HalfSignIn,
  isOutdated,
  SecondFactor,
  Sessions,
  Users
} from "../accounts/Exports.ts"
import { byUser, note } from "../edge/AuditNote.ts"
import type { Client } from "../edge/Visitor.ts"
import { newToken } from "../edge/SessionCookie.ts"

/** The sign-in is refused; carries no reason, so that no answer can reveal one. */
export class Refused extends Schema.TaggedError<Refused>()("Refused", {}) {}

/** The page of the code has expired or was used already; the user has to sign in again. */
export class Forgotten extends Schema.TaggedError<Forgotten>()("Forgotten", {}) {}

export interface SignInOptions {
  readonly limits: Attempts.Limits
  /** Lifetime of a session. Unit: seconds. */
  readonly ttl: number
}

/** Outcome of a successful step. */
export type SignedIn =
  | { readonly _tag: "Session"; readonly token: string; readonly id: number; readonly userId: number }
  /** The password was right and a code is required. `half`: token for the page that asks for the code. */
  | { readonly _tag: "Code"; readonly half: string }

/** Signs in by password. Call outside transactions. */
export const signIn = Effect.fnUntraced(function* (
  typed: { readonly email: string; readonly password: string },
  client: Client,
  { limits, ttl }: SignInOptions
) {
  const bcrypt = yield* Bcrypt
  const email = normaliseEmail(typed.email)
  const attempt = yield* reserve({ address: client.ip, email: email ?? typed.email }, client, limits)
  const user = yield* Users.byEmail(email ?? "")
  const good = yield* Effect.tapError(bcrypt.verify(Redacted.make(typed.password), user?.password), () =>
    Attempts.takeBack(attempt)
  )
  if (user === undefined || !good || user.status !== "active") return yield* refused("edge_sign_in", client)
  const isOld = isOutdated(user.password, yield* BcryptCost)
  if (isOld) yield* renewed(user, typed.password)
  return yield* transaction(
    Effect.gen(function* () {
      // An administrator may have set another password while this one was compared. An outdated hash was just renewed.
      yield* Sessions.lockUser(user.id)
      if (!isOld && (yield* Users.byEmail(user.email))?.password !== user.password) return yield* new Refused()
      if (user.has_totp) {
        yield* Attempts.takeBack(attempt)
        return { _tag: "Code" as const, half: yield* HalfSignIn.begin(user.id) }
      }
      yield* Attempts.succeeded(attempt)
      return yield* begin(user.id, client, ttl, "password")
    })
  )
})

/** Replaces an imported hash of another cost. A failure changes nothing: the next sign-in tries again. */
const renewed = (user: Users.Known, password: string) =>
  Effect.flatMap(Bcrypt, (bcrypt) => bcrypt.hash(Redacted.make(password))).pipe(
    Effect.flatMap((hash) => Users.renewPassword(user.id, user.password, hash)),
    Effect.ignore
  )

/**
 * Signs in by the code of a second factor, after a right password. Each code is valid once. A wrong code counts as a
 * failed attempt of the address and of the account.
 */
export const signInByCode = Effect.fnUntraced(function* (
  typed: { readonly half: string; readonly code: string },
  client: Client,
  { limits, ttl }: SignInOptions
) {
  const userId = yield* HalfSignIn.userOf(typed.half)
  const user = userId === undefined ? undefined : yield* Users.byId(userId)
  if (userId === undefined || user === undefined) return yield* new Forgotten()
  const attempt = yield* reserve({ address: client.ip, email: user.email, codeOf: userId }, client, limits)
  if (!(yield* SecondFactor.take(byUser(userId, client.ip), userId, typed.code)))
    return yield* refused("edge_code", client)
  return yield* transaction(
    Effect.gen(function* () {
      if (!(yield* HalfSignIn.end(typed.half))) return yield* new Forgotten()
      yield* Attempts.succeeded(attempt)
      return yield* begin(userId, client, ttl, "code")
    })
  )
})

const reserve = (attempt: Attempts.Attempt, client: Client, limits: Attempts.Limits) =>
  Effect.tapError(Attempts.reserve(attempt, limits), (error) =>
    error._tag === "TooMany" ? tell("edge_throttled", client) : Effect.void
  )

const tell = (kind: string, { ip }: Client) =>
  Effect.flatMap(Refusals, (refusals) => refusals.tell({ kind, address: ip }))

const refused = (kind: string, client: Client) => Effect.andThen(tell(kind, client), Effect.fail(new Refused()))

const begin = Effect.fnUntraced(function* (userId: number, client: Client, ttl: number, by: "password" | "code") {
  const token = newToken()
  const id = yield* Sessions.begin({ token, userId, ip: client.ip, userAgent: client.userAgent, ttl })
  // An administrator has blocked the user meanwhile.
  if (id === undefined) return yield* new Refused()
  yield* note(byUser(userId, client.ip), "session.begun", "session", id, { by })
  return { _tag: "Session" as const, token, id, userId }
})
