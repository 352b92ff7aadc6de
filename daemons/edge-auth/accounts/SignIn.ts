/** Signing in and registering. Unknown address, wrong password, pending and blocked user get one answer after the same work. */
import { Effect, Redacted, Schema } from "effect"
import { transaction } from "#core/Sql.ts"
import { Wake } from "#core/Wake.ts"
import { normaliseEmail } from "#protocols/mail-address/EmailAddress.ts"
import { topic } from "../verify/Picture.ts"
import * as Attempts from "./Attempts.ts"
import { Bcrypt } from "./Bcrypt.ts"
import * as Sessions from "./Sessions.ts"
import { newToken } from "./SessionToken.ts"
import * as Users from "./Users.ts"

/** Nobody is signed in; why is not told. */
export class Refused extends Schema.TaggedError<Refused>()("Refused", {}) {}

export interface Client {
  readonly ip: string
  readonly userAgent: string
}

export interface SignInOptions {
  readonly limits: Attempts.Limits
  /** How long a session lasts. Unit: seconds. */
  readonly ttl: number
}

/** Answers the token of a new session. Call outside transactions. */
export const signIn = Effect.fnUntraced(function*(typed: { readonly email: string; readonly password: string }, client: Client, { limits, ttl }: SignInOptions) {
  const bcrypt = yield* Bcrypt
  const attempt = yield* Attempts.reserve(client.ip, limits)
  const user = yield* Users.byEmail(normaliseEmail(typed.email) ?? "")
  const good = yield* Effect.tapError(bcrypt.verify(Redacted.make(typed.password), user?.password), () => Attempts.takeBack(attempt))
  if (user === undefined || !good || user.status !== "active") return yield* new Refused()
  const token = newToken()
  yield* transaction(Effect.gen(function*() {
    yield* Attempts.takeBack(attempt)
    yield* Sessions.begin({ token, userId: user.id, host: null, ip: client.ip, userAgent: client.userAgent, ttl })
    yield* Effect.flatMap(Wake, (wake) => wake.announce(topic))
  }))
  return token
})
