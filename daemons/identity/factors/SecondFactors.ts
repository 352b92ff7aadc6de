/**
 * Second factors during sign-in: lists the active ones, sends a code and checks an entered code. Every code is valid
 * once. A TOTP step, a recovery code and a messenger code are each consumed by one statement, so only one of two
 * concurrent requests succeeds.
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

/** The account whose factors are checked. */
export interface Owner {
  readonly id: number
  readonly tenant_id: number
}

/** The factor that a sign-in was confirmed with. */
export type UsedFactor = Factor | "recovery_code"

type Failure = SqlError.SqlError | SecretError

/** Runs as the platform role, because a user names no tenant when signing in. Call it outside transactions. */
export class SecondFactors extends Context.Service<
  SecondFactors,
  {
    /** Confirmed factors, in the order in which a sign-in offers them. */
    readonly active: (accountId: number) => Effect.Effect<ReadonlyArray<Factor>, SqlError.SqlError>
    /** Sends a code to the account's chat if that factor is active and the send limit permits. */
    readonly challenge: (account: Owner) => Effect.Effect<void, Failure>
    /**
     * Checks `code` and consumes it. Returns the matching factor, or undefined. The caller counts failures
     * (Throttle.ts).
     */
    readonly check: (account: Owner, code: string) => Effect.Effect<UsedFactor | undefined, Failure>
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
      return step !== undefined && (yield* TotpStore.consumeStep(accountId, step))
    })

    const byMessenger = Effect.fnUntraced(function* (accountId: number, code: string) {
      if ((yield* MessengerStore.chatOf(accountId)) === undefined) return false
      const keys = yield* sender.keys
      return yield* transaction(OneTimeCodes.redeem(accountId, "login", code, keys))
    })

    const byRecoveryCode = Effect.fnUntraced(function* (account: Owner, code: string) {
      const id = yield* RecoveryCodes.findUnused(account.id, code)
      if (id === undefined) return false
      return yield* transaction(
        Effect.gen(function* () {
          if (!(yield* RecoveryCodes.markUsed(id))) return false
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
            yield* Effect.logInfo(`no code was sent for account ${account.id}: its send limit is reached`)
        }).pipe(Effect.provideContext(ground)),
      check: (account, typed) =>
        Effect.gen(function* () {
          if (typed.length > maxCode) return undefined
          if (/^[\d\s]*$/.test(typed) && typed.replace(/\s/g, "").length === Totp.digits) {
            // Checks the app first, because that uses up no attempt of the messenger code.
            if (yield* byTotp(account.id, typed)) return "totp"
            return (yield* byMessenger(account.id, typed)) ? "messenger" : undefined
          }
          return (yield* byRecoveryCode(account, typed)) ? "recovery_code" : undefined
        }).pipe(Effect.provideContext(ground))
    })
  })
)

/** Longest accepted code. Unit: characters. */
const maxCode = 64
