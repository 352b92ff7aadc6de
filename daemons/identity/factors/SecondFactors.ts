/**
 * Second factors as signing in sees them: which are active, a code sent where one is, and whether what was typed is
 * one. Every code is good once: a step of an authenticator app, a recovery code and a messenger's code are each taken
 * by one statement that only one of two requests at the same time gets through.
 */
import type { PgClient } from "@effect/sql-pg"
import { Clock, Context, Effect, Layer } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { write } from "#core/log/Audit.ts"
import * as Totp from "#core/auth/Totp.ts"
import type { Database } from "#core/sql/Database.ts"
import { contextOf, type SecretError, Secrets } from "#core/config/Secrets.ts"
import { transaction } from "#core/sql/Sql.ts"
import { Accounts } from "../users/Exports.ts"
import { activeFactors, type Factor } from "./ActiveFactors.ts"
import { CodeSender } from "./CodeSender.ts"
import * as MessengerStore from "./MessengerStore.ts"
import * as OneTimeCodes from "./OneTimeCodeStore.ts"
import * as RecoveryCodes from "./RecoveryCodeStore.ts"
import * as TotpStore from "./TotpStore.ts"

/** Whose factors. */
export interface Owner {
  readonly id: number
  readonly tenant_id: number
}

/** By what somebody got in. */
export type Passed = Factor | "recovery_code"

type Failure = SqlError.SqlError | SecretError

/** All of it as the platform: whoever signs in names no tenant. Call it outside transactions. */
export class SecondFactors extends Context.Service<
  SecondFactors,
  {
    /** The confirmed ones, in the order in which they are offered. */
    readonly active: (accountId: number) => Effect.Effect<ReadonlyArray<Factor>, SqlError.SqlError>
    /** Sends a code to the account's chat, where that factor is active and not too many were sent. */
    readonly challenge: (account: Owner) => Effect.Effect<void, Failure>
    /** What `code` is, and uses it up; undefined when it is nothing good. Who asks counts failures (Throttle). */
    readonly check: (account: Owner, code: string) => Effect.Effect<Passed | undefined, Failure>
  }
>()("signalbox/identity/SecondFactors") {}

export const layer: Layer.Layer<
  SecondFactors,
  never,
  CodeSender | Secrets | SqlClient.SqlClient | PgClient.PgClient | Database
> = Layer.effect(
  SecondFactors,
  Effect.gen(function* () {
    const sender = yield* CodeSender
    const secrets = yield* Secrets
    const ground = yield* Effect.context<SqlClient.SqlClient | PgClient.PgClient | Database | Secrets>()

    const byTotp = Effect.fnUntraced(function* (accountId: number, code: string) {
      const totp = yield* TotpStore.find(accountId)
      if (totp === undefined || !totp.confirmed) return false
      const secret = yield* secrets.open(totp.envelope, contextOf(TotpStore.sealedTotp, String(accountId)))
      const step = Totp.check(code, secret, yield* Clock.currentTimeMillis, totp.lastStep)
      return step !== undefined && (yield* TotpStore.takeStep(accountId, step))
    })

    const byMessenger = Effect.fnUntraced(function* (accountId: number, code: string) {
      if ((yield* MessengerStore.chatOf(accountId)) === undefined) return false
      const keys = yield* sender.keys
      return yield* transaction(OneTimeCodes.take(accountId, "login", code, keys))
    })

    const byRecoveryCode = Effect.fnUntraced(function* (account: Owner, code: string) {
      const id = yield* RecoveryCodes.match(account.id, code)
      if (id === undefined) return false
      return yield* transaction(
        Effect.gen(function* () {
          if (!(yield* RecoveryCodes.spend(id))) return false
          const { left } = yield* RecoveryCodes.counts(account.id)
          yield* write({
            tenantId: account.tenant_id,
            actor: `user:${account.id}`,
            action: "recovery_code.used",
            entity: "user",
            id: String(account.id),
            detail: { left }
          })
          return true
        })
      )
    })

    const active = (accountId: number) =>
      Effect.map(activeFactors(accountId), (found) => found.map(({ factor }) => factor))

    return SecondFactors.of({
      active: (accountId) => Effect.provideContext(active(accountId), ground),
      challenge: (account) =>
        Effect.gen(function* () {
          const chatId = yield* MessengerStore.chatOf(account.id)
          const to = yield* Accounts.get(account.id)
          if (chatId === undefined || to === undefined) return
          const wait = yield* sender.send(to, chatId, "login", transaction)
          if (wait !== undefined)
            yield* Effect.logInfo(`no code is sent for account ${account.id}: too many within a short time`)
        }).pipe(Effect.provideContext(ground)),
      check: (account, typed) =>
        Effect.gen(function* () {
          if (typed.length > maxTyped) return undefined
          if (/^[\d\s]*$/.test(typed) && typed.replace(/\s/g, "").length === Totp.digits) {
            // The app first: it costs the messenger's code no try.
            if (yield* byTotp(account.id, typed)) return "totp"
            return (yield* byMessenger(account.id, typed)) ? "messenger" : undefined
          }
          return (yield* byRecoveryCode(account, typed)) ? "recovery_code" : undefined
        }).pipe(Effect.provideContext(ground))
    })
  })
)

/** Longest code that is looked at. Unit: characters. */
const maxTyped = 64
