/**
 * The table of service tokens: create, list, revoke. Only their SHA-256 is stored, so a copy of the database is
 * useless. Tokens have 256 random bits, so a plain hash is enough. ServiceTokens finds a presented token. Each function
 * runs in the surrounding transaction, as the platform role.
 */
import { Effect, Redacted, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { hash, randomBytes } from "node:crypto"
import { Permission } from "./Permissions.ts"
import { announceStanding } from "./Standing.ts"

/** Maximum number of scopes of a token. Reason: there are not many more permissions. */
export const maxScopes = 50

/**
 * What a token may do. `platform`: everything, in every tenant. `introspection`: introspect mail tokens. `mail-policy`:
 * report sign-ins at the mail server. `mail-push`: report new mail. `switch`: query the switch configuration. A
 * permission's name: what that permission allows, in every tenant.
 */
export const Scope = Schema.Union([
  Schema.Literals(["platform", "introspection", "mail-policy", "mail-push", "switch"]),
  Permission
])
export type Scope = typeof Scope.Type

/** A token in lists. The token text itself is shown once, at creation. */
export interface ServiceToken {
  readonly id: number
  readonly name: string
  readonly scopes: ReadonlyArray<Scope>
  readonly created_at: Date
  readonly expires_at: Date | null
  readonly revoked_at: Date | null
  readonly last_used_at: Date | null
}

/** Stored form of a token, in hex. */
export const hashOf = (token: string): string => hash("sha256", token, "hex")

const fields = (sql: SqlClient.SqlClient) => sql`id, name, scopes, created_at, expires_at, revoked_at, last_used_at`

/** Creates a token; the caller shows its text once. */
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
      values (${options.name}, ${stored},
        string_to_array(${options.scopes.join(" ")}, ' '), ${options.expiresAt ?? null})
      returning id)
    select id, ${announceStanding(sql)} from made`
  return { id: row!.id, token }
})

/** All tokens, oldest first. */
export const list: Effect.Effect<ReadonlyArray<ServiceToken>, SqlError.SqlError, SqlClient.SqlClient> = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<ServiceToken>`select ${fields(sql)} from core.service_token order by id`
)

/** One token, or undefined. */
export const get = (id: number): Effect.Effect<ServiceToken | undefined, SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(sql<ServiceToken>`select ${fields(sql)} from core.service_token where id = ${id}`, (rows) => rows[0])
  )

/** Revokes a token; returns whether it was valid before. */
export const revoke = (id: number): Effect.Effect<boolean, SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql`with gone as (update core.service_token set revoked_at = now()
          where id = ${id} and revoked_at is null returning id)
        select id, ${announceStanding(sql)} from gone`,
      (rows) => rows.length > 0
    )
  )
