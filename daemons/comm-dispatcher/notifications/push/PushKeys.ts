/**
 * The installation's key pair for push services (VAPID, RFC 8292). Created on first use; the private key is stored in
 * an envelope. A new pair would invalidate every subscription.
 */
import { Context, Effect, Layer, Redacted } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import webPush from "web-push"
import { contextOf, type SealedColumn, type SecretError, Secrets } from "#core/config/Secrets.ts"

export const sealedPushKey: SealedColumn = { table: "comm_dispatcher.push_key", id: "id", column: "private_key" }

/** Base64url: an uncompressed P-256 point, and its scalar. */
export interface PushKeyPair {
  readonly publicKey: string
  readonly privateKey: Redacted.Redacted
}

export class PushKeys extends Context.Service<
  PushKeys,
  {
    /** Call it outside a transaction: it reads the key file. */
    readonly pair: Effect.Effect<PushKeyPair, SecretError | SqlError.SqlError>
  }
>()("signalbox/comm-dispatcher/PushKeys") {}

export const layer: Layer.Layer<PushKeys, never, SqlClient.SqlClient | Secrets> = Layer.effect(
  PushKeys,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const secrets = yield* Secrets
    const context = contextOf(sealedPushKey, "1")
    let known: PushKeyPair | undefined

    const stored = Effect.gen(function* () {
      const [row] = yield* sql<{
        public_key: string
        private_key: string
      }>`select public_key, private_key from comm_dispatcher.push_key where id = 1`
      if (row === undefined) return undefined
      return { publicKey: row.public_key, privateKey: yield* secrets.open(row.private_key, context) }
    })

    const made = Effect.gen(function* () {
      const { privateKey, publicKey } = yield* Effect.sync(() => webPush.generateVAPIDKeys())
      const envelope = yield* secrets.seal(Redacted.make(privateKey), context)
      // Of several processes that create a pair at once, the first one's stays and all use it.
      yield* sql`insert into comm_dispatcher.push_key (id, public_key, private_key)
        values (1, ${publicKey}, ${envelope}) on conflict do nothing`
    })

    return PushKeys.of({
      pair: Effect.suspend(() =>
        known === undefined
          ? Effect.gen(function* () {
              if ((yield* stored) === undefined) yield* made
              return (known = (yield* stored)!)
            })
          : Effect.succeed(known)
      )
    })
  })
)
