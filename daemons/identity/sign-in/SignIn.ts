/**
 * Sign-in by password or link. An unknown user, a wrong password, a suspended account or tenant and a wrong code get
 * the same answer after the same work. So the answer does not reveal whether an account exists. No transaction is open
 * while a password is hashed or a token is signed.
 */
import type { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, type Redacted } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { SqlClient, SqlError } from "effect/sql"
import type { Client } from "#core/http/Client.ts"
import type { Unavailable } from "#core/http/Problem.ts"
import type { SecretError } from "#core/config/Secrets.ts"
import { normaliseEmail } from "#protocols/mail-address/EmailAddress.ts"
import {
  AccessRefusals,
  CredentialAttempts,
  InvalidCredentials,
  Sessions,
  SignInLinks,
  type Tokens,
  type TooManyTries
} from "../sessions/Exports.ts"
import { InvalidLink, SecondFactorRequired } from "./Errors.ts"
import { SecondFactors } from "../factors/Exports.ts"
import { needsRehash } from "#core/password/PasswordHash.ts"
import { Argon2Cost, Passwords } from "#core/password/Passwords.ts"
import type { NoSigningKey } from "#core/auth/Signer.ts"
import { Accounts, lockUnchanged } from "../users/Exports.ts"

/** The entered credentials. */
export interface SignInInput {
  readonly email: string
  readonly password: Redacted.Redacted
  readonly code: string | undefined
}

type ServiceError = Unavailable | NoSigningKey | SecretError | SqlError.SqlError

export class SignIn extends Context.Service<
  SignIn,
  {
    readonly withPassword: (
      typed: SignInInput,
      client: Client
    ) => Effect.Effect<
      Tokens,
      InvalidCredentials | SecondFactorRequired | TooManyTries | ServiceError,
      HttpServerRequest.HttpServerRequest
    >
    /** Signs in with the token of a one-time link. */
    readonly withLink: (token: string, client: Client) => Effect.Effect<Tokens, InvalidLink | ServiceError>
  }
>()("signalbox/identity/SignIn") {}

export const layer = Layer.effect(
  SignIn,
  Effect.gen(function* () {
    const passwords = yield* Passwords
    const cost = yield* Argon2Cost
    const sessions = yield* Sessions
    const factors = yield* SecondFactors
    const attempts = yield* CredentialAttempts
    const refusals = yield* AccessRefusals
    const scope = yield* Effect.scope
    const ground = yield* Effect.context<SqlClient.SqlClient | PgClient.PgClient>()

    /** Records a refusal in the background, because a wait for the row would make some responses measurably slower. */
    const recordRefusal = (...refusal: Parameters<typeof refusals.tell>) =>
      Effect.forkIn(refusals.tell(...refusal), scope)

    const refuse = Effect.fnUntraced(function* (
      kind: string,
      reason: string,
      account: Accounts.Credentials | undefined,
      client: Client
    ) {
      yield* recordRefusal({
        kind,
        address: client.address,
        ...(account === undefined ? {} : { tenantId: account.tenant_id, entity: "user", id: String(account.id) }),
        detail: { reason }
      })
      return yield* new InvalidCredentials()
    })

    const withPassword = Effect.fnUntraced(function* (typed: SignInInput, client: Client) {
      const email = normaliseEmail(typed.email)
      const account = yield* Accounts.byEmail(email ?? "")
      const isCorrect = yield* passwords.verify(typed.password, account?.password_hash ?? undefined)
      if (account === undefined) return yield* refuse("password", "unknown_user", undefined, client)
      if (!isCorrect) return yield* refuse("password", "wrong_password", account, client)
      if (account.state !== "active" || account.tenant_state !== "active")
        return yield* refuse("password", "suspended", account, client)
      const second = yield* secondFactor(account, typed.code, client)
      const tokens = yield* sessions.open(
        account,
        ["password", ...second],
        client,
        Effect.gen(function* () {
          if (!(yield* lockUnchanged(account))) return yield* new InvalidCredentials()
        })
      )
      yield* rehash(account, typed.password)
      return tokens
    })

    /** The second factor that was used; empty when the account has none. */
    const secondFactor = Effect.fnUntraced(function* (
      account: Accounts.Credentials,
      code: string | undefined,
      client: Client
    ) {
      const methods = yield* factors.active(account.id)
      if (methods.length === 0) return []
      if (code === undefined) {
        yield* factors.challenge(account)
        return yield* new SecondFactorRequired({ methods, detail: "Send the request again with a code." })
      }
      const by = yield* factors.check(account, code)
      return by === undefined ? yield* refuse("second_factor", "wrong_code", account, client) : [by]
    })

    /**
     * Hashes the password with the current parameters if the stored hash has others. A failure does not affect the
     * sign-in.
     */
    const rehash = Effect.fnUntraced(function* (account: Accounts.Credentials, password: Redacted.Redacted) {
      if (account.password_hash === null || !needsRehash(account.password_hash, cost)) return
      yield* Effect.ignore(
        Effect.flatMap(passwords.hash(password), (hash) => Accounts.rehash(account.id, account.password_hash!, hash))
      )
    })

    const withLink = Effect.fnUntraced(function* (token: string, client: Client) {
      const refused = new InvalidLink({ detail: "The link was used or replaced, or has expired. Ask for a new link." })
      const link = yield* SignInLinks.find(token)
      if (link === undefined) return yield* refused
      return yield* sessions.open(
        link,
        link.methods,
        client,
        Effect.gen(function* () {
          if (!(yield* lockUnchanged(link)) || !(yield* SignInLinks.use(token))) return yield* refused
        })
      )
    })

    return SignIn.of({
      withPassword: (typed, client) =>
        attempts
          .attempt(normaliseEmail(typed.email) ?? typed.email, client, withPassword(typed, client), { proved: true })
          .pipe(Effect.provideContext(ground)),
      withLink: (token, client) =>
        withLink(token, client).pipe(
          Effect.tapErrorTag("InvalidLink", () => recordRefusal({ kind: "link", address: client.address })),
          Effect.provideContext(ground)
        )
    })
  })
)
