/**
 * The pair of keys that this installation is known by to push services (VAPID, RFC 8292): made once, by whoever needs it first, and the
 * private half kept in an envelope. A new pair would leave every subscription without use.
 */
import { Context, Effect, Layer, Redacted } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import webPush from "web-push"
import { contextOf, type SealedColumn, type SecretError, Secrets } from "#core/config/Secrets.ts"

export const sealedPushKey: SealedColumn = { table: "comm_dispatcher.push_key", id: "id", column: "private_key" }

/** Both base64url: a point of P-256, uncompressed, and its scalar. */
export interface PushKeyPair {
  readonly publicKey: string
  readonly privateKey: Redacted.Redacted
}

export class PushKeys extends Context.Service<
  PushKeys,
  {
    /** Not within a transaction: it reads the key file. */
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
      // Of several processes that do so at once the first one's stays, and all go on with that.
      yield* sql`insert into comm_dispatcher.push_key (id, public_key, private_key) values (1, ${publicKey}, ${envelope}) on conflict do nothing`
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
