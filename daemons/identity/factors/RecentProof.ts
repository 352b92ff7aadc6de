/**
 * Demands proof that the account's owner changes the factors: the password, or for an account without one, a session
 * that was opened recently.
 */
import { Context, Effect, Layer, type Redacted } from "effect"
import type { HttpServerRequest } from "effect/http"
import { SqlClient, type SqlError } from "effect/sql"
import { Caller, inScope } from "#core/auth/Caller.ts"
import type { Client } from "#core/http/Client.ts"
import { InvalidRequest, type Unavailable } from "#core/http/Problem.ts"
import type { SecretError } from "#core/config/Secrets.ts"
import { AccessRefusals, CredentialAttempts, InvalidCredentials, type TooManyTries } from "../sessions/Exports.ts"
import { Accounts, type UserCaller } from "../users/Exports.ts"
import { Passwords } from "#core/password/Passwords.ts"
import { RecentSignInRequired } from "./Errors.ts"

/** Maximum age of the session. Unit: seconds. Reason: long enough for a slow user to set up a factor. */
export const maxSessionAge = 600

/** The caller, the client and the entered password. */
export interface ProofInput {
  readonly caller: UserCaller
  readonly client: Client
  readonly password: Redacted.Redacted | undefined
}

export class RecentProof extends Context.Service<
  RecentProof,
  {
    /** Verifies the caller. Returns the account, which must be unchanged in the following transaction. */
    readonly verifyOwner: (
      input: ProofInput
    ) => Effect.Effect<
      Accounts.Credentials,
      | InvalidCredentials
      | InvalidRequest
      | RecentSignInRequired
      | TooManyTries
      | Unavailable
      | SecretError
      | SqlError.SqlError,
      HttpServerRequest.HttpServerRequest
    >
  }
>()("signalbox/identity/RecentProof") {}

export const layer: Layer.Layer<
  RecentProof,
  never,
  Passwords | CredentialAttempts | AccessRefusals | SqlClient.SqlClient
> = Layer.effect(
  RecentProof,
  Effect.gen(function* () {
    const passwords = yield* Passwords
    const attempts = yield* CredentialAttempts
    const refusals = yield* AccessRefusals
    const sql = yield* SqlClient.SqlClient

    const isRecentSession = ({ session, userId }: UserCaller) =>
      Effect.map(
        sql`select 1 from identity.session where id = ${session} and account_id = ${userId} and ended_at is null
          and created_at > now() - make_interval(secs => ${maxSessionAge})`,
        (rows) => rows.length > 0
      )

    const verify = Effect.fnUntraced(function* (
      account: Accounts.Credentials,
      password: Redacted.Redacted,
      client: Client
    ) {
      if (yield* passwords.verify(password, account.password_hash ?? undefined)) return
      yield* refusals.tell({
        kind: "password",
        address: client.address,
        tenantId: account.tenant_id,
        entity: "user",
        id: String(account.id)
      })
      return yield* new InvalidCredentials({ detail: "The password is wrong." })
    })

    return RecentProof.of({
      verifyOwner: Effect.fnUntraced(function* ({ caller, client, password }) {
        const { account, isRecent } = yield* inScope(
          Effect.all({ account: Accounts.credentialsOf(caller.userId), isRecent: isRecentSession(caller) })
        ).pipe(Effect.provideService(Caller, caller), Effect.provideService(SqlClient.SqlClient, sql))
        if (account === undefined) return yield* new InvalidCredentials()
        if (account.password_hash === null) {
          return isRecent
            ? account
            : yield* new RecentSignInRequired({
                detail: `Sign in again; the sign-in must be at most ${maxSessionAge / 60} minutes old.`
              })
        }
        if (password === undefined) {
          return yield* new InvalidRequest({
            errors: [{ field: "payload.password", message: "is required, because the account has a password" }]
          })
        }
        yield* attempts.attempt(account.email, client, verify(account, password, client))
        return account
      })
    })
  })
)
