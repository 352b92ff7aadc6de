/**
 * Imports users and protected routes of an older installation once, in one transaction with an audit entry. Existing
 * addresses and routes stay unchanged; invalid rows are logged by number. Sessions and attempts are not imported, so
 * users sign in again.
 */
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { isAbsolute } from "node:path"
import { settings } from "#core/config/Environment.ts"
import * as Settings from "#core/config/Settings.ts"
import { transaction } from "#core/sql/Sql.ts"
import { note } from "../edge/AuditNote.ts"
import { type OldFile, readOldFile } from "./OldFile.ts"
import { type Bad, isBad, routeOf, type Row, userOf } from "./OldRows.ts"

/** Rows inserted by one statement. */
const batch = 1_000

/** Maximum number of invalid rows named in the log. Reason: the log line stays readable. */
const maxNamed = 50

export interface Counted {
  readonly taken: number
  /** Rows that existed before or came earlier in the file. */
  readonly kept: number
  /** Invalid rows with their number in the file, starting at 1, and the invalid column. */
  readonly bad: ReadonlyArray<string>
}

export type Outcome =
  | { readonly _tag: "None" }
  /** Imported at this start (with counts), at an earlier start or by another process. */
  | { readonly _tag: "Taken"; readonly users?: Counted; readonly routes?: Counted }
  /** The file could not be imported. Until it is, the first user who registers does not become an admin. */
  | { readonly _tag: "Failed"; readonly detail: string }

/** Settings of the import. Source of the name: interface document 3 §2.2. */
export const importSettings = {
  databasePath: Settings.optionalText("AUTH_DB_PATH", {
    doc: "SQLite file with the tables users and protected_routes, imported once; unset: no import",
    check: (text) => (isAbsolute(text) ? undefined : "must be an absolute path")
  })
}

/** Outcome of the import at this start. The layer runs the import, so users of the outcome start afterwards. */
export class Imported extends Context.Service<Imported, Outcome>()("signalbox/edge-auth/Imported") {
  static readonly layer = Layer.effect(
    Imported,
    Effect.flatMap(settings(importSettings), ({ databasePath }) => takeIn(databasePath))
  )
}

/** Imports the file unless it was imported before. Call outside transactions. */
export const takeIn = Effect.fnUntraced(function* (path: string | undefined) {
  if (path === undefined) return { _tag: "None" } satisfies Outcome as Outcome
  const sql = yield* SqlClient.SqlClient
  const [before] = yield* sql`select 1 from edge_auth.imports where source = ${path}`
  if (before !== undefined) return { _tag: "Taken" } satisfies Outcome as Outcome
  return yield* readOldFile(path).pipe(
    Effect.flatMap((file) => write(path, file)),
    Effect.tap((outcome) =>
      Effect.logInfo(
        `AUTH_DB_PATH is imported and not read again: ` +
          `${countsOf("users", outcome.users)}, ${countsOf("routes", outcome.routes)}`
      )
    ),
    Effect.catchTag("Unreadable", ({ detail }) =>
      Effect.as(
        Effect.logError(
          `AUTH_DB_PATH ${path} cannot be imported: ${detail}. ` +
            `Until the import succeeds, nobody becomes an admin by registering first.`
        ),
        { _tag: "Failed", detail } satisfies Outcome as Outcome
      )
    )
  )
})

const countsOf = (what: string, counted: Counted | undefined): string => {
  if (counted === undefined) return `${what} by another process`
  const { bad, kept, taken } = counted
  const named = `${bad.slice(0, maxNamed).join("; ")}${bad.length > maxNamed ? "; …" : ""}`
  return `${taken} ${what}, ${kept} unchanged, ${bad.length} invalid${bad.length === 0 ? "" : ` (${named})`}`
}

const write = (path: string, file: OldFile) =>
  transaction(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      // When several processes start at once, the others wait here and then find the import done.
      const mine =
        yield* sql`insert into edge_auth.imports (source) values (${path}) on conflict do nothing returning 1`
      if (mine.length === 0) return { _tag: "Taken" as const }
      const users = yield* each(
        file.users,
        userOf,
        (rows) =>
          sql`insert into edge_auth.users (email, password, name, status, role, created_at, approved_at, last_login)
        select email, password, name, status, role, coalesce(created_at, now()), approved_at, last_login
        from json_to_recordset(${JSON.stringify(rows)}::json)
          as r (email text, password text, name text, status text, role text,
            created_at timestamptz, approved_at timestamptz, last_login timestamptz)
        on conflict (email) do nothing returning 1`
      )
      const routes = yield* each(
        file.routes,
        routeOf,
        (rows) =>
          sql`insert into edge_auth.protected_routes (host, path, description, required_role, enabled, created_at)
        select host, path, description, required_role, enabled, coalesce(created_at, now())
        from json_to_recordset(${JSON.stringify(rows)}::json)
          as r (host text, path text, description text, required_role text, enabled smallint, created_at timestamptz)
        on conflict (host, path) where removed_at is null do nothing returning 1`
      )
      yield* note({ name: "system" }, "import", "users", path, { users: short(users), routes: short(routes) })
      return { _tag: "Taken" as const, users, routes }
    })
  )

const short = ({ bad, kept, taken }: Counted) => ({ taken, kept, bad: bad.length })

const each = Effect.fnUntraced(function* <A extends object, E, R>(
  rows: ReadonlyArray<Row>,
  read: (row: Row) => A | Bad,
  insert: (rows: ReadonlyArray<A>) => Effect.Effect<ReadonlyArray<unknown>, E, R>
) {
  const good: Array<A> = []
  const bad: Array<string> = []
  for (const [index, row] of rows.entries()) {
    const made = read(row)
    if (isBad(made)) bad.push(`row ${index + 1}: ${made.bad}`)
    else good.push(made)
  }
  let taken = 0
  for (let start = 0; start < good.length; start += batch)
    taken += (yield* insert(good.slice(start, start + batch))).length
  return { taken, kept: good.length - taken, bad } satisfies Counted as Counted
})
