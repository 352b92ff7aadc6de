/**
 * Creates the database role with which Dovecot and Postfix read. It signs in by password and may read only the views of
 * `mail_server`. Creating a role needs a right that our own sessions lack, so this opens a separate connection.
 */
import { Effect, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { withClient } from "#core/postgres/Bootstrap.ts"
import type { ConnectionTarget } from "#core/postgres/ConnectionTarget.ts"
import { mailServerConnections, mailServerRole } from "#core/postgres/ServerAccess.ts"
import { scramSecret } from "./ScramSecret.ts"

/** How long one query may take. Unit: seconds. Reason: each query uses an index, and a mail client waits for it. */
export const statementTimeout = 5

/** The role cannot be created, or has too many rights; `message` tells the administrator what to do. */
export class RoleRefused extends Schema.TaggedError<RoleRefused>()("RoleRefused", { message: Schema.String }) {}

/**
 * Creates the role, or updates its password and limits. Without `password` the role must exist and keeps its password.
 * `admin`: target of a role that may create roles. `password`: ASCII.
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
        return yield* refuse(`the role ${mailServerRole} may do more than read: drop it and run this command again`)
      }
      if (role === undefined && password === undefined)
        return yield* refuse(`the role ${mailServerRole} does not exist yet: run this command without --keep-password`)
      const statement = `${role === undefined ? "create" : "alter"} role ${mailServerRole}`
      if (!me?.creates) {
        if (password === undefined) return
        return yield* refuse(
          `${me?.name} may not create roles. As an administrator run: ${statement} login password '...'` +
            ` connection limit ${mailServerConnections}; ${bounds.join("; ")}; ` +
            "and then `signalbox mail-server role --keep-password`"
        )
      }
      const secret = password === undefined ? "" : ` password '${scramSecret(password)}'`
      yield* sql.unsafe(`${statement} login connection limit ${mailServerConnections}${secret}`)
      for (const bound of bounds) yield* sql.unsafe(bound)
    })
  )

/** Grants access to the views. Must run as their owner, after the migrations. */
export const grantViews: Effect.Effect<void, SqlError.SqlError, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql.unsafe(`grant usage on schema mail_server to ${mailServerRole}`)
  yield* sql.unsafe(`grant select on all tables in schema mail_server to ${mailServerRole}`)
})

/** Limits against accidents. The real protection is that the role has no other grants. */
const bounds = [
  `alter role ${mailServerRole} set default_transaction_read_only = on`,
  `alter role ${mailServerRole} set statement_timeout = '${statementTimeout}s'`,
  `alter role ${mailServerRole} set idle_in_transaction_session_timeout = '${statementTimeout}s'`
]

const refuse = (message: string) => new RoleRefused({ message })
