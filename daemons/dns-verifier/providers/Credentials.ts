/**
 * Seals and opens credentials of accounts. An envelope is bound to its row. Call outside transactions, because the keys
 * are read from a file.
 */
import { Context, Effect, Layer, Redacted } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { contextOf, type SealedColumn, Secrets } from "#core/config/Secrets.ts"
import type { AccountCredentials } from "./AccountCredentials.ts"

export const sealedCredentials: SealedColumn = { table: "dns_verifier.dns_provider", id: "id", column: "credentials" }

/** Sealed credentials for a row that is not inserted yet, with the id that it must get. */
export interface Sealed {
  readonly id: number
  /** Null: an account without credentials. */
  readonly envelope: string | null
}

export class Credentials extends Context.Service<
  Credentials,
  {
    /** Reserves an id for a new account and seals its credentials, if any. */
    readonly forNew: (credentials: AccountCredentials | undefined) => Effect.Effect<Sealed, SqlError.SqlError>
    /** Seals credentials for an existing account. */
    readonly seal: (id: number, credentials: AccountCredentials) => Effect.Effect<string>
    /** Opens an envelope, for `Adapters.of`. */
    readonly open: (id: number, envelope: string) => Effect.Effect<Redacted.Redacted>
  }
>()("signalbox/dns-verifier/Credentials") {}

export const layer: Layer.Layer<Credentials, never, Secrets | SqlClient.SqlClient> = Layer.effect(
  Credentials,
  Effect.gen(function* () {
    const secrets = yield* Secrets
    const sql = yield* SqlClient.SqlClient
    const { id: key, table } = sealedCredentials
    // An unreadable key file is a defect of the installation, not of the request.
    const seal = (id: number, credentials: AccountCredentials) =>
      Effect.orDie(secrets.seal(Redacted.make(JSON.stringify(credentials)), contextOf(sealedCredentials, String(id))))
    return Credentials.of({
      forNew: Effect.fnUntraced(function* (credentials) {
        const [row] = yield* sql<{ id: number }>`select nextval(pg_get_serial_sequence(${table}, ${key}))::int as id`
        return { id: row!.id, envelope: credentials === undefined ? null : yield* seal(row!.id, credentials) }
      }),
      seal,
      open: (id, envelope) => Effect.orDie(secrets.open(envelope, contextOf(sealedCredentials, String(id))))
    })
  })
)
