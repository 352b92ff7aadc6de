/**
 * The role as whom Dovecot and Postfix read: it signs in by password, reads the views of `mail_server`, and nothing
 * else. Making it takes a right that our own sessions do not have, so it is done over a connection of its own.
 */
import { Effect, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { withClient } from "#core/postgres/Bootstrap.ts"
import type { ConnectionTarget } from "#core/postgres/ConnectionTarget.ts"
import { mailServerRole } from "#core/postgres/ServerAccess.ts"
import { scramSecret } from "./ScramSecret.ts"

/**
 * Connections of all mail programs together. Reason: Dovecot opens a handful, each of Postfix's proxymap processes one
 * a map.
 */
export const maxConnections = 50
/**
 * How long one question may take. Unit: seconds. Reason: each walks an index; a client at the other end waits for it.
 */
export const statementTimeout = 5

/** The role cannot be made, or is more than it may be; `message` says what an administrator does. */
export class RoleRefused extends Schema.TaggedError<RoleRefused>()("RoleRefused", { message: Schema.String }) {}

/**
 * Makes the role, or sets its password and bounds; without `password` it has to be there and keeps the one it has.
 * `admin`: one who may create roles. `password`: ASCII.
 */
export const ensureRole = (
  admin: ConnectionTarget,
  password: string | undefined
): Effect.Effect<void, RoleRefused | SqlError.SqlError> =>
  withClient(admin, (sql) =>
    Effect.gen(function* () {
      const [me] = yield* sql<{ name: string; creates: boolean }>`
        select rolname as name, rolsuper or rolcreaterole as creates from pg_roles where rolname = session_user`
      const [role] = yield* sql<{ mighty: boolean }>`
        select rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolreplication
            or exists (select 1 from pg_auth_members where member = r.oid) as mighty
          from pg_roles r where rolname = ${mailServerRole}`
      if (role?.mighty) {
        return yield* refuse(`the role ${mailServerRole} may do more than read: drop it and call this again`)
      }
      if (role === undefined && password === undefined)
        return yield* refuse(`there is no role ${mailServerRole} yet: call this without --keep-password`)
      if (!me?.creates) {
        if (password === undefined) return
        return yield* refuse(
          `${me?.name} may not make roles. As an administrator run: ${role === undefined ? "create" : "alter"} role ${mailServerRole} login password '...'` +
            ` connection limit ${maxConnections}; ${bounds.join("; ")}; and then \`signalbox mail-server role --keep-password\``
        )
      }
      const secret = password === undefined ? "" : ` password '${scramSecret(password)}'`
      yield* sql.unsafe(
        `${role === undefined ? "create" : "alter"} role ${mailServerRole} login connection limit ${maxConnections}${secret}`
      )
      for (const bound of bounds) yield* sql.unsafe(bound)
    })
  )

/** Lets the role read the views. Needs their owner, and the migrations to have run. */
export const grantViews: Effect.Effect<void, SqlError.SqlError, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql.unsafe(`grant usage on schema mail_server to ${mailServerRole}`)
  yield* sql.unsafe(`grant select on all tables in schema mail_server to ${mailServerRole}`)
})

/** Not a wall, which the missing grants are: they keep an accident small. */
const bounds = [
  `alter role ${mailServerRole} set default_transaction_read_only = on`,
  `alter role ${mailServerRole} set statement_timeout = '${statementTimeout}s'`,
  `alter role ${mailServerRole} set idle_in_transaction_session_timeout = '${statementTimeout}s'`
]

const refuse = (message: string) => new RoleRefused({ message })
