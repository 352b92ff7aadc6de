/** Loads a dump into an empty database with pg_restore, and prepares the roles that a dump of the suite names. */
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { PgConnection } from "@effect/sql-pg"
import { Effect, Redacted } from "effect"
import { type ConnectionTarget, toSqlPg } from "#core/postgres/ConnectionTarget.ts"
import { mailServerRole } from "#core/postgres/ServerAccess.ts"
import { runProgram } from "../engine/Programs.ts"
import { libpqEnvironment } from "./DatabaseDump.ts"
import * as DumpPrograms from "./DumpPrograms.ts"
import { StagingFailed } from "./Staging.ts"

export interface Load {
  /** The dump: a folder of pg_dump. */
  readonly dump: string
  /** An empty database. */
  readonly target: ConnectionTarget
  /** Only this table, as the manifest names it: `schema.table`. Its indexes and policies are not restored. */
  readonly table?: string | undefined
  /** Role that owns what is loaded. Default: the login role. */
  readonly role?: string | undefined
}

/** Loads everything in one transaction, so a failed load leaves the database empty. */
export const load = ({ dump, role, table, target }: Load) =>
  Effect.gen(function* () {
    const pgRestore = yield* DumpPrograms.find("pg_restore", 1)
    if (pgRestore === undefined)
      return yield* new StagingFailed({ message: "pg_restore is not installed (apt install postgresql-client)" })
    const chosen = table === undefined ? undefined : tableParts(table)
    // pg_restore creates no schema for a single table.
    if (chosen !== undefined) yield* withSession(target, createSchema(chosen.schema, role))
    yield* runProgram({
      program: pgRestore,
      args: [
        `--dbname=${target.database}`,
        "--single-transaction",
        "--exit-on-error",
        "--no-password",
        // Owners of the other machine need not exist here.
        "--no-owner",
        ...(role === undefined ? [] : [`--role=${role}`]),
        ...(chosen === undefined ? [] : [`--schema=${chosen.schema}`, `--table=${chosen.name}`]),
        dump
      ],
      env: libpqEnvironment(target),
      secrets: target.password === undefined ? [] : [Redacted.value(target.password)]
    })
  })

/** The dump of the suite's database below the folder of a restored backup. Fails when there is none. */
export const dumpIn = (folder: string): Effect.Effect<string, StagingFailed> =>
  Effect.suspend(() => {
    const dumps = join(folder, "databases")
    const [name] = existsSync(dumps) ? readdirSync(dumps) : []
    return name === undefined
      ? Effect.fail(new StagingFailed({ message: "the backup has no dump of a database" }))
      : Effect.succeed(join(dumps, name))
  })

/** Creates the role of mail programs, which rights in the dump name, where it is missing and the login may do so. */
export const ensureMailRole = (target: ConnectionTarget) =>
  withSession(
    target,
    Effect.fnUntraced(function* (session) {
      const found = yield* session.query(
        `select (select rolsuper or rolcreaterole from pg_roles where rolname = session_user)
           and to_regrole('${mailServerRole}') is null as missing`
      )
      if (found.rows[0]!["missing"] === true) yield* session.query(`create role ${mailServerRole} nologin`)
    })
  )

/** Schema and name of a table that the manifest of a backup names. Quoted where needed. Pure. */
export const tableParts = (table: string): { readonly schema: string; readonly name: string } => {
  const [, schema = "", name = ""] = /^("(?:[^"]|"")+"|[^."]+)\.(.+)$/.exec(table) ?? []
  return { schema: plain(schema), name: plain(name) }
}

const plain = (identifier: string) =>
  identifier.startsWith('"') ? identifier.slice(1, -1).replaceAll('""', '"') : identifier

const quoted = (identifier: string) => `"${identifier.replaceAll('"', '""')}"`

const createSchema = (schema: string, role: string | undefined) => (session: PgConnection.PgConnection) =>
  session.query(
    `create schema if not exists ${quoted(schema)}${role === undefined ? "" : ` authorization ${quoted(role)}`}`
  )

const withSession = <A, E>(
  target: ConnectionTarget,
  use: (session: PgConnection.PgConnection) => Effect.Effect<A, E>
) => Effect.scoped(Effect.flatMap(PgConnection.make({ ...toSqlPg(target), applicationName: "signalbox restore" }), use))
