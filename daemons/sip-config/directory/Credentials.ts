/**
 * Generates and seals the secrets of extensions, trunks and voicemail boxes. Each envelope is bound to its row. Call
 * these functions outside transactions, because they read the key file.
 */
import { Context, Effect, Layer, Redacted } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { randomInt } from "node:crypto"
import { contextOf, type SealedColumn, Secrets } from "#core/config/Secrets.ts"

export const sealedExtensions: SealedColumn = { table: "sip_config.extension", id: "id", column: "password" }
export const sealedTrunks: SealedColumn = { table: "sip_config.trunk", id: "id", column: "password" }
export const sealedPins: SealedColumn = { table: "sip_config.voicemail_box", id: "id", column: "pin" }

/**
 * Length of generated passwords. Unit: characters. Reason: 139 bits with the alphabet below; some phones do not accept
 * longer ones.
 */
const passwordLength = 24

/** Letters and digits that are hard to confuse and need no escaping in any phone's configuration. */
const alphabet = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789"

/** Length of generated PINs. Unit: digits. Reason: users type PINs on a phone. */
const pinLength = 6

const drawn = (from: string, length: number) =>
  Redacted.make(Array.from({ length }, () => from[randomInt(from.length)]).join(""))

export const newPassword = (): Redacted.Redacted => drawn(alphabet, passwordLength)
export const newPin = (): Redacted.Redacted => drawn("0123456789", pinLength)

/** Envelope of a row that does not exist yet, with the ID reserved for that row. */
export interface Sealed {
  readonly id: number
  readonly envelope: string
}

export class Credentials extends Context.Service<
  Credentials,
  {
    /** Reserves an ID for a new row and seals its secret. */
    readonly forNew: (column: SealedColumn, secret: Redacted.Redacted) => Effect.Effect<Sealed, SqlError.SqlError>
    /** Seals a secret of an existing row. */
    readonly seal: (column: SealedColumn, id: number, secret: Redacted.Redacted) => Effect.Effect<string>
    readonly open: (column: SealedColumn, id: number, envelope: string) => Effect.Effect<Redacted.Redacted>
  }
>()("signalbox/sip-config/Credentials") {}

export const layer: Layer.Layer<Credentials, never, Secrets | SqlClient.SqlClient> = Layer.effect(
  Credentials,
  Effect.gen(function* () {
    const secrets = yield* Secrets
    const sql = yield* SqlClient.SqlClient
    // An unreadable key file is a fault of the installation: the caller gets a 500.
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
