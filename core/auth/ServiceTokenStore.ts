/**
 * The table of service tokens: made, listed, taken back. Only their SHA-256 is stored, so a copy of the database opens
 * no door; tokens have 256 bits of randomness, and a plain hash is enough for what cannot be guessed. Who presents one
 * is found by ServiceTokens. Each function runs in the surrounding transaction, as the platform role.
 */
import { Effect, Redacted, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { hash, randomBytes } from "node:crypto"
import { Permission } from "./Permissions.ts"
import { announceStanding } from "./Standing.ts"

/** Scopes of one token. Unit: scopes. Reason: there are not many more permissions. */
export const maxScopes = 50

/**
 * What a token may do. `platform`: everything, in every tenant. `introspection`: ask whether a mail token is good.
 * `mail-policy`: tell of sign-ins at the mail server. `mail-push`: tell of news in mailboxes. `switch`: ask what the
 * telephone switch is told. A permission's name: what users need it for, in every tenant.
 */
export const Scope = Schema.Union([
  Schema.Literals(["platform", "introspection", "mail-policy", "mail-push", "switch"]),
  Permission
])
export type Scope = typeof Scope.Type

/** A token as lists show it. The token itself is shown once, at its creation. */
export interface ServiceToken {
  readonly id: number
  readonly name: string
  readonly scopes: ReadonlyArray<Scope>
  readonly created_at: Date
  readonly expires_at: Date | null
  readonly revoked_at: Date | null
  readonly last_used_at: Date | null
}

/** What is stored and compared of a token. Hex. */
export const hashOf = (token: string): string => hash("sha256", token, "hex")

const fields = (sql: SqlClient.SqlClient) => sql`id, name, scopes, created_at, expires_at, revoked_at, last_used_at`

/** Makes a token; its text is to be shown once. */
export const create = Effect.fnUntraced(function* (options: {
  readonly name: string
  readonly scopes: ReadonlyArray<Scope>
  readonly expiresAt?: Date
}): Effect.fn.Return<
  { readonly id: number; readonly token: Redacted.Redacted },
  SqlError.SqlError,
  SqlClient.SqlClient
> {
  const sql = yield* SqlClient.SqlClient
  const token = Redacted.make(`sbx_${randomBytes(32).toString("base64url")}`, { label: "service token" })
  const stored = Buffer.from(hashOf(Redacted.value(token)), "hex")
  const [row] = yield* sql<{ id: number }>`with made as (
      insert into core.service_token (name, hash, scopes, expires_at)
      values (${options.name}, ${stored}, string_to_array(${options.scopes.join(" ")}, ' '), ${options.expiresAt ?? null}) returning id)
    select id, ${announceStanding(sql)} from made`
  return { id: row!.id, token }
})

/** All of them, oldest first. */
export const list: Effect.Effect<ReadonlyArray<ServiceToken>, SqlError.SqlError, SqlClient.SqlClient> = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<ServiceToken>`select ${fields(sql)} from core.service_token order by id`
)

/** One, or undefined. */
export const get = (id: number): Effect.Effect<ServiceToken | undefined, SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(sql<ServiceToken>`select ${fields(sql)} from core.service_token where id = ${id}`, (rows) => rows[0])
  )

/** Ends a token; answers whether there was such a one to end. */
export const revoke = (id: number): Effect.Effect<boolean, SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql`with gone as (update core.service_token set revoked_at = now() where id = ${id} and revoked_at is null returning id)
        select id, ${announceStanding(sql)} from gone`,
      (rows) => rows.length > 0
    )
  )
