/**
 * Passwords of phones, boxes and trunks: made here, and kept in envelopes that name their row. Call outside
 * transactions, as the keys lie in a file.
 */
import { Context, Effect, Layer, Redacted } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { randomInt } from "node:crypto"
import { contextOf, type SealedColumn, Secrets } from "#core/config/Secrets.ts"

export const sealedExtensions: SealedColumn = { table: "sip_config.extension", id: "id", column: "password" }
export const sealedTrunks: SealedColumn = { table: "sip_config.trunk", id: "id", column: "password" }
export const sealedPins: SealedColumn = { table: "sip_config.voicemail_box", id: "id", column: "pin" }

/** Unit: characters. Reason: 139 bits of the alphabet below; phones take no longer ones reliably. */
const passwordLength = 24

/** Letters and digits that nobody takes for each other, and that need no escape in any phone's settings. */
const alphabet = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789"

/** Unit: digits. Reason: what is keyed in at a phone. */
const pinLength = 6

const drawn = (from: string, length: number) =>
  Redacted.make(Array.from({ length }, () => from[randomInt(from.length)]).join(""))

export const newPassword = (): Redacted.Redacted => drawn(alphabet, passwordLength)
export const newPin = (): Redacted.Redacted => drawn("0123456789", pinLength)

/** An envelope for a row that is not yet there, with the number the row will have. */
export interface Sealed {
  readonly id: number
  readonly envelope: string
}

export class Credentials extends Context.Service<
  Credentials,
  {
    /** Takes a number for a new row and seals its secret. */
    readonly forNew: (column: SealedColumn, secret: Redacted.Redacted) => Effect.Effect<Sealed, SqlError.SqlError>
    /** An envelope for a row that is there. */
    readonly seal: (column: SealedColumn, id: number, secret: Redacted.Redacted) => Effect.Effect<string>
    readonly open: (column: SealedColumn, id: number, envelope: string) => Effect.Effect<Redacted.Redacted>
  }
>()("signalbox/sip-config/Credentials") {}

export const layer: Layer.Layer<Credentials, never, Secrets | SqlClient.SqlClient> = Layer.effect(
  Credentials,
  Effect.gen(function* () {
    const secrets = yield* Secrets
    const sql = yield* SqlClient.SqlClient
    // A key file that cannot be read is ours to mend, and no caller's business.
    const seal = (column: SealedColumn, id: number, secret: Redacted.Redacted) =>
      Effect.orDie(secrets.seal(secret, contextOf(column, String(id))))
    return Credentials.of({
      forNew: Effect.fnUntraced(function* (column, secret) {
        const [row] = yield* sql<{
          id: number
        }>`select nextval(pg_get_serial_sequence(${column.table}, ${column.id}))::int as id`
        return { id: row!.id, envelope: yield* seal(column, row!.id, secret) }
      }),
      seal,
      open: (column, id, envelope) => Effect.orDie(secrets.open(envelope, contextOf(column, String(id))))
    })
  })
)
