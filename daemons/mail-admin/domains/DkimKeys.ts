/**
 * Makes DKIM keys: RSA of 2048 bits, in node's own threads and one at a time, so that neither the event loop nor
 * whatever else those threads do waits for a row of them. Source: RFC 8301 §3.2. Call it outside transactions.
 */
import { Context, Effect, Layer, Redacted, Semaphore } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { generateKeyPair } from "node:crypto"
import { promisify } from "node:util"
import { contextOf, type SealedColumn, type SecretError, Secrets } from "#core/config/Secrets.ts"
import { Wake } from "#core/events/Wake.ts"

/** The PKCS#8 PEM text lies in an envelope. */
export const sealedDkimKeys: SealedColumn = { table: "mail_admin.dkim_key", id: "id", column: "private_key" }

/** Rings when the keys are others, or another one signs (Wake). */
export const keysTopic = "mail_admin.dkim_key"

/** Rings with the surrounding transaction. */
export const announceKeys = Effect.flatMap(Wake, (wake) => wake.announce(keysTopic))

/** Unit: bits. Reason: every receiver takes 2048, and a record of 4096 does not fit well into DNS. */
const keyBits = 2048

/** Selector of a domain's first key. Source: interface document 1 §2.1. */
export const firstSelector = "mail"

/** A key that is in no table yet. */
export interface NewKey {
  readonly id: number
  /** Envelope of the private half. */
  readonly privateKey: string
  /** Base64 of the SPKI DER form. */
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
          // The envelope names its row, so the row's number comes first.
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
 * The selector after those a domain has: `mail`, `mail2`, `mail3`. A domain has its newest key always, so none comes
 * twice.
 */
export const nextSelector = (held: ReadonlyArray<string>): string => {
  const numbers = held.map((selector) => Number(/^mail(\d*)$/.exec(selector)?.[1] || 1))
  return numbers.length === 0 ? firstSelector : `${firstSelector}${Math.max(...numbers) + 1}`
}
