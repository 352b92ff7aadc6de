/**
 * Changes the password of the signed-in user. All sessions end, including the current one, and a new session opens, so
 * that every earlier token becomes invalid.
 */
import type { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, type Redacted } from "effect"
import type { HttpServerRequest } from "effect/http"
import { SqlClient, type SqlError } from "effect/sql"
import { writeFor } from "#core/log/Audit.ts"
import { Caller, inScope } from "#core/auth/Caller.ts"
import { Standing } from "#core/auth/Standing.ts"
import type { Database } from "#core/sql/Database.ts"
import type { Events } from "#core/events/Events.ts"
import type { Client } from "#core/http/Client.ts"
import { InvalidRequest, type Unavailable } from "#core/http/Problem.ts"
import type { SecretError } from "#core/config/Secrets.ts"
import {
  AccessRefusals,
  CredentialAttempts,
  endSessions,
  InvalidCredentials,
  Sessions,
  SignInLinks,
  type Tokens,
  type TooManyTries
} from "../sessions/Exports.ts"
import { brokenRule, rules } from "#core/password/PasswordRules.ts"
import { Passwords } from "#core/password/Passwords.ts"
import type { NoSigningKey } from "#core/auth/Signer.ts"
import { Accounts, emitSecurityChanged, lockUnchanged, type UserCaller } from "../users/Exports.ts"

export interface NewPassword {
  readonly current: Redacted.Redacted | undefined
  readonly next: Redacted.Redacted
}

export class PasswordChange extends Context.Service<
  PasswordChange,
  {
    /** Returns the tokens of the new session. */
    readonly change: (
      caller: UserCaller,
      password: NewPassword,
      client: Client
    ) => Effect.Effect<
      Tokens,
      InvalidCredentials | InvalidRequest | TooManyTries | Unavailable | NoSigningKey | SecretError | SqlError.SqlError,
      HttpServerRequest.HttpServerRequest
    >
  }
>()("signalbox/identity/PasswordChange") {}

const badField = (field: string, message: string, code?: string) =>
  new InvalidRequest({ errors: [{ field: `payload.${field}`, message, ...(code === undefined ? {} : { code }) }] })

/** Methods of the new session: those of the old one plus `password`, without the link, which is used up. Pure. */
export const methodsAfter = (before: ReadonlyArray<string>): ReadonlyArray<string> => [
  "password",
  ...before.filter((method) => method !== "password" && !method.startsWith("link:"))
]

export const layer = Layer.effect(
  PasswordChange,
  Effect.gen(function* () {
    const passwords = yield* Passwords
    const sessions = yield* Sessions
    const standing = yield* Standing
    const attempts = yield* CredentialAttempts
    const refusals = yield* AccessRefusals
    const ground = yield* Effect.context<SqlClient.SqlClient | PgClient.PgClient | Database | Events>()
    const sql = yield* SqlClient.SqlClient

    /** The current session, if still active. `reset`: it was opened recently by a password reset link. */
    const currentSession = ({ session, userId }: UserCaller) =>
      Effect.map(
        sql<{ methods: ReadonlyArray<string>; reset: boolean }>`select methods,
            ${SignInLinks.linkMethod("reset")} = any(methods)
              and created_at > now() - make_interval(secs => ${SignInLinks.linkLifetimes.reset}) as reset
          from identity.session where id = ${session} and account_id = ${userId} and ended_at is null`,
        (rows) => rows[0]
      )

    const verifyCurrent = Effect.fnUntraced(function* (
      account: Accounts.Credentials,
      current: Redacted.Redacted,
      client: Client
    ) {
      if (yield* passwords.verify(current, account.password_hash ?? undefined)) return
      yield* refusals.tell({
        kind: "password",
        address: client.address,
        tenantId: account.tenant_id,
        entity: "user",
        id: String(account.id)
      })
      return yield* new InvalidCredentials({ detail: "The current password is wrong." })
    })

    const change = Effect.fnUntraced(function* (caller: UserCaller, { current, next }: NewPassword, client: Client) {
      const account = yield* inScope(Accounts.credentialsOf(caller.userId))
      const session = yield* inScope(currentSession(caller))
      if (account === undefined || session === undefined) return yield* new InvalidCredentials()
      const rule = brokenRule(next, account.email)
      if (rule !== undefined) return yield* badField("new_password", rules[rule], rule)
      if (account.password_hash !== null && !session.reset) {
        if (current === undefined) {
          return yield* badField("current_password", "is required, because the account has a password")
        }
        yield* attempts.attempt(account.email, client, verifyCurrent(account, current, client))
      }
      const hash = yield* attempts.orBusy(passwords.hash(next))
      const changed = yield* inScope(
        Effect.gen(function* () {
          // The password may have changed, or the session ended, while the new password was hashed.
          if (!(yield* lockUnchanged(account)) || (yield* currentSession(caller)) === undefined)
            return yield* new InvalidCredentials()
          const changed = yield* Effect.catchTag(
            Accounts.change(account.id, { passwordHash: hash }),
            "EmailTaken",
            Effect.die
          )
          const ended = yield* endSessions({ account: account.id }, "password_changed")
          yield* SignInLinks.revokeAll(account.id)
          yield* writeFor({
            tenantId: account.tenant_id,
            action: "user.password_changed",
            entity: "user",
            id: String(account.id),
            address: client.address,
            detail: { sessions_ended: ended.length }
          })
          yield* emitSecurityChanged(account, "password_changed")
          return changed!
        })
      )
      yield* Effect.ignore(standing.refresh)
      return yield* sessions.open(
        changed,
        methodsAfter(session.methods),
        client,
        Effect.gen(function* () {
          if (!(yield* lockUnchanged(changed))) return yield* new InvalidCredentials()
        })
      )
    })

    return PasswordChange.of({
      change: (caller, password, client) =>
        change(caller, password, client).pipe(Effect.provideService(Caller, caller), Effect.provideContext(ground))
    })
  })
)
