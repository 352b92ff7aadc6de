/**
 * Creates a one-time code, stores its hash and sends a job that delivers the message, in one transaction. Another
 * daemon delivers the message. The text is sealed, so neither the queue nor its archive contains a code.
 */
import type { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { randomUUID } from "node:crypto"
import { MessengerCode, messengerCodeContext } from "#core/contracts/Messenger.ts"
import type { Database } from "#core/sql/Database.ts"
import { Jobs } from "#core/jobs/Jobs.ts"
import { type SecretError, Secrets } from "#core/config/Secrets.ts"
import { reserveSend } from "./CodeSendLimit.ts"
import { codeText } from "./CodeText.ts"
import { newCode } from "./OneTimeCode.ts"
import { replaceCode, keyUse, type Purpose } from "./OneTimeCodeStore.ts"

/** The account that a code is sent for. */
export interface Recipient {
  readonly id: number
  readonly tenant_id: number
  readonly email: string
  readonly locale: string
}

type Ground = SqlClient.SqlClient | PgClient.PgClient | Database

export class CodeSender extends Context.Service<
  CodeSender,
  {
    /**
     * Sends a new code to the chat. `within` runs the statements that store the code in a transaction, and may add its
     * own statements before them. Returns undefined, or the seconds until another code may be sent; a previous code
     * then stays valid.
     */
    readonly send: <E>(
      to: Recipient,
      chatId: string,
      purpose: Purpose,
      within: (store: Effect.Effect<void, SqlError.SqlError, Ground>) => Effect.Effect<void, E, Ground>
    ) => Effect.Effect<number | undefined, E | SqlError.SqlError | SecretError>
    readonly keys: Effect.Effect<ReadonlyArray<Uint8Array>, SecretError>
  }
>()("signalbox/identity/CodeSender") {}

/** `issuer`: present name of this installation in messages. */
export const layer = (issuer: () => string): Layer.Layer<CodeSender, never, Ground | Jobs | Secrets> =>
  Layer.effect(
    CodeSender,
    Effect.gen(function* () {
      const jobs = yield* Jobs
      const secrets = yield* Secrets
      const ground = yield* Effect.context<Ground>()
      const keys = secrets.derive(keyUse)
      return CodeSender.of({
        keys,
        send: Effect.fnUntraced(function* (to, chatId, purpose, within) {
          const wait = yield* Effect.provideContext(reserveSend(to.id, chatId), ground)
          if (wait !== undefined) return wait
          const id = randomUUID()
          const code = newCode()
          const text = codeText({ code, purpose, issuer: issuer(), email: to.email, locale: to.locale })
          const envelope = yield* secrets.seal(text, messengerCodeContext(id))
          const derivedKeys = yield* keys
          yield* within(
            Effect.gen(function* () {
              const expires = yield* replaceCode(to, purpose, code, derivedKeys)
              yield* jobs.send(MessengerCode, [
                { data: { id, chat_id: chatId, envelope, expires_at: expires.toISOString() } }
              ])
            })
          ).pipe(Effect.provideContext(ground))
          return undefined
        })
      })
    })
  )
