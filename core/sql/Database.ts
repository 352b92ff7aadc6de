/**
 * The Postgres server and role of this process: `DATABASE_URL`, or the embedded server in the data directory.
 *
 * The build prepares the Postgres cluster for migrations: the role `signalbox_tenant` exists, and sessions run as a
 * role that row-level security binds. A login role that could bypass it, such as a superuser, switches to the role
 * `signalbox` at the start of every session. Statements of daemons run through core/sql/Sql.ts.
 */
import { PgConnection } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema } from "effect"
import type { SqlError } from "effect/sql"
import { type ConnectionTarget, toSqlPg } from "../postgres/ConnectionTarget.ts"

/** The database is not usable; `message` says what an operator has to do. */
export class DatabaseUnusable extends Schema.TaggedError<DatabaseUnusable>()("DatabaseUnusable", {
  message: Schema.String
}) {}

export class Database extends Context.Service<
  Database,
  {
    readonly target: ConnectionTarget
    /** Role that sessions switch to when the login role may bypass row-level security. */
    readonly role: string | undefined
    readonly applicationName: string
    /** True for the embedded server in the data directory. */
    readonly embedded: boolean
  }
>()("signalbox/core/Database") {}

/** Start-up parameters of all our sessions. */
export const sessionParameters = (database: Database["Service"]): Record<string, string> => ({
  timezone: "UTC",
  ...(database.role === undefined ? {} : { role: database.role })
})

const platformRole = "signalbox"

/** Checks the login role, creates missing roles, and returns the role that sessions must use. */
export const prepare = (
  target: ConnectionTarget
): Effect.Effect<string | undefined, DatabaseUnusable | SqlError.SqlError> =>
  Effect.scoped(
    Effect.gen(function* () {
      const connection = yield* PgConnection.make({ ...toSqlPg(target), applicationName: "signalbox prepare" })
      // Prevents two starting daemons from both creating the roles.
      yield* connection.query("select pg_advisory_lock(hashtext('signalbox prepare'))")
      const login = yield* connection.query(
        `select rolname as name, rolsuper or rolbypassrls as bypasses, rolsuper or rolcreaterole as creates
         from pg_roles where rolname = session_user`
      )
      const { name, bypasses, creates } = login.rows[0] as { name: string; bypasses: boolean; creates: boolean }
      const role = bypasses ? platformRole : undefined
      const grantee = quote(role ?? name)
      const exists = (rolname: string) =>
        Effect.map(
          connection.query("select 1 from pg_roles where rolname = $1", [rolname]),
          (result) => result.rows.length > 0
        )
      if (role !== undefined && !(yield* exists(role))) yield* connection.query(`create role ${platformRole} nologin`)
      if (!(yield* exists("signalbox_tenant"))) {
        if (!creates) {
          return yield* new DatabaseUnusable({
            message:
              `the database lacks the role signalbox_tenant and ${name} cannot create it. As an administrator run:` +
              ` create role signalbox_tenant nologin; grant signalbox_tenant to ${grantee};`
          })
        }
        yield* connection.query("create role signalbox_tenant nologin")
      }
      const version = yield* connection.query("select current_setting('server_version_num')::int >= 160000 as splits")
      // Before version 16, every member of a role could switch to it.
      const privilege = (version.rows[0] as { splits: boolean }).splits ? "set" : "member"
      const member = yield* connection.query("select pg_has_role($1, 'signalbox_tenant', $2) as member", [
        role ?? name,
        privilege
      ])
      if (!(member.rows[0] as { member: boolean }).member) {
        yield* connection.query(`grant signalbox_tenant to ${grantee}`)
      }
      if (role !== undefined) {
        const [{ database }] = (yield* connection.query("select current_database() as database")).rows as [
          { database: string }
        ]
        yield* connection.query(`grant create on database ${quote(database)} to ${grantee}`)
      }
      return role
    })
  )

const quote = (identifier: string) => `"${identifier.replaceAll('"', '""')}"`

/** An existing database, as `DATABASE_URL` names it. */
export const layerTarget = (
  target: ConnectionTarget,
  options: { readonly applicationName: string; readonly embedded?: boolean }
): Layer.Layer<Database, DatabaseUnusable | SqlError.SqlError> =>
  Layer.effect(
    Database,
    Effect.map(prepare(target), (role) =>
      Database.of({ target, role, applicationName: options.applicationName, embedded: options.embedded ?? false })
    )
  )
