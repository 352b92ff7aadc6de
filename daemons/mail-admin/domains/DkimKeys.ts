/**
 * Generates DKIM keys: RSA, 2048 bits. Uses node's thread pool for one key at a time, so that neither the event loop
 * nor other users of that pool wait long. Source: RFC 8301 §3.2. Call it outside transactions.
 */
import { Context, Effect, Layer, Redacted, Semaphore } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { generateKeyPair } from "node:crypto"
import { promisify } from "node:util"
import { contextOf, type SealedColumn, type SecretError, Secrets } from "#core/config/Secrets.ts"
import { Wake } from "#core/events/Wake.ts"

/** Column of private keys: PKCS#8 PEM text in an envelope. */
export const sealedDkimKeys: SealedColumn = { table: "mail_admin.dkim_key", id: "id", column: "private_key" }

/** Wake topic that is announced when keys change or another key becomes active. */
export const keysTopic = "mail_admin.dkim_key"

/** Announces changed keys when the surrounding transaction commits. */
export const announceKeys = Effect.flatMap(Wake, (wake) => wake.announce(keysTopic))

/**
 * Length of a key. Unit: bits. Reason: every receiver accepts 2048, and a record for 4096 bits does not fit well into
 * DNS.
 */
const keyBits = 2048

/** Selector of a domain's first key. Source: interface document 1 §2.1. */
export const firstSelector = "mail"

/** A generated key that is not stored yet. */
export interface NewKey {
  readonly id: number
  /** Envelope of the private key. */
  readonly privateKey: string
  /** Base64 of the public key's SPKI DER form. */
  readonly publicKey: string
}

export class DkimKeys extends Context.Service<
  DkimKeys,
  { readonly make: Effect.Effect<NewKey, SecretError | SqlError.SqlError> }
>()("signalbox/mail-admin/DkimKeys") {}

export const layer: Layer.Layer<DkimKeys, never, Secrets | SqlClient.SqlClient> = Layer.effect(
  DkimKeys,
  Effect.gen(function* () {
    const secrets = yield* Secrets
    const sql = yield* SqlClient.SqlClient
    const turns = yield* Semaphore.make(1)
    return DkimKeys.of({
      make: turns.withPermit(
        Effect.gen(function* () {
          const pair = yield* Effect.promise(() => generate("rsa", { modulusLength: keyBits }))
          // The context of the envelope contains the row's id, so the id is assigned first.
          const [row] = yield* sql<{
            id: number
          }>`select nextval(pg_get_serial_sequence('mail_admin.dkim_key', 'id'))::int as id`
          const pem = Redacted.make(pair.privateKey.export({ type: "pkcs8", format: "pem" }) as string)
          return {
            id: row!.id,
            privateKey: yield* secrets.seal(pem, contextOf(sealedDkimKeys, String(row!.id))),
            publicKey: pair.publicKey.export({ type: "spki", format: "der" }).toString("base64")
          }
        })
      )
    })
  })
)

const generate = promisify(generateKeyPair)

/**
 * The selector after the existing ones: `mail`, `mail2`, `mail3`. The newest key of a domain is never deleted, so no
 * selector is used twice.
 */
export const nextSelector = (held: ReadonlyArray<string>): string => {
  const numbers = held.map((selector) => Number(/^mail(\d*)$/.exec(selector)?.[1] || 1))
  return numbers.length === 0 ? firstSelector : `${firstSelector}${Math.max(...numbers) + 1}`
}
