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
import { tenantRole } from "../postgres/ServerAccess.ts"
import { type DatabaseFacts, readFacts } from "./DatabaseFacts.ts"
import { refusal, shortfalls } from "./DatabaseNeeds.ts"

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
    /** What the server offers, as of the start. */
    readonly facts: DatabaseFacts
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

/** Checks the server and the login role, and creates missing roles. Returns the facts from before. */
export const prepare = (target: ConnectionTarget): Effect.Effect<DatabaseFacts, DatabaseUnusable | SqlError.SqlError> =>
  Effect.scoped(
    Effect.gen(function* () {
      const connection = yield* PgConnection.make({ ...toSqlPg(target), applicationName: "signalbox prepare" })
      // Prevents two starting daemons from both creating the roles.
      yield* connection.query("select pg_advisory_lock(hashtext('signalbox prepare'))")
      const facts = yield* readFacts(connection, ["core"])
      const lacking = refusal(shortfalls(facts, 1).filter(({ check }) => check !== "connections"))
      if (lacking !== undefined) return yield* new DatabaseUnusable({ message: `the database is unusable: ${lacking}` })
      const role = quote(facts.role)
      if (!facts.roleExists) {
        yield* connection.query(`create role ${role} nologin`)
        yield* connection.query(`grant ${role} to ${quote(facts.login)}`)
      }
      if (!facts.tenantExists) yield* connection.query(`create role ${tenantRole} nologin`)
      if (!facts.tenantMember) yield* connection.query(`grant ${tenantRole} to ${role}`)
      if (!facts.createsSchemas) {
        yield* connection.query(`grant create on database ${quote(facts.database)} to ${role}`)
      }
      if (!facts.createsTables && facts.schema !== null) {
        yield* connection.query(`grant create on schema ${quote(facts.schema)} to ${role}`)
      }
      return facts
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
    Effect.map(prepare(target), (facts) =>
      Database.of({
        target,
        role: facts.bypasses ? facts.role : undefined,
        facts,
        applicationName: options.applicationName,
        embedded: options.embedded ?? false
      })
    )
  )
