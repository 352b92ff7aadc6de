/**
 * Reads the SQLite file in AUTH_DB_PATH: plain tables only, read-only, with limits. The file is not trusted: a view in
 * place of a table could run forever, a cell could hold a gigabyte. Reading blocks the process, so call it at start,
 * outside transactions.
 */
import { healthSentence } from "#core/daemon/Health.ts"
import { Effect, Schema } from "effect"
import { statSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import type { Row } from "./OldRows.ts"

/** Largest accepted file. Unit: bytes. */
const maxSize = 512 * 1024 * 1024

/** Maximum number of rows of a table. Reason: they take some seconds to read. */
const maxRows = 100_000

/** Longest text of a cell. Unit: characters. Longer texts are cut and then fail the check of their column. */
const maxCell = 10_000

/** The file cannot be imported; `detail` says why. */
export class Unreadable extends Schema.TaggedError<Unreadable>()("Unreadable", { detail: Schema.String }) {}

export interface OldFile {
  readonly users: ReadonlyArray<Row>
  readonly routes: ReadonlyArray<Row>
}

const columns = {
  users: ["email", "password", "name", "status", "role", "created_at", "approved_at", "last_login"],
  protected_routes: ["host", "path", "description", "required_role", "enabled", "created_at"]
} as const

export const readOldFile = (path: string): Effect.Effect<OldFile, Unreadable> =>
  Effect.try({
    try: () => {
      const found = statSync(path)
      if (!found.isFile()) throw new Unreadable({ detail: healthSentence("it is not a regular file") })
      if (found.size > maxSize) throw new Unreadable({ detail: healthSentence(`it is larger than ${maxSize} bytes`) })
      const database = new DatabaseSync(path, {
        readOnly: true,
        allowExtension: false,
        enableForeignKeyConstraints: false
      })
      try {
        // Restricts what a schema from an untrusted source can do.
        database.exec("pragma trusted_schema = off; pragma cell_size_check = on; pragma query_only = on")
        return { users: rowsOf(database, "users"), routes: rowsOf(database, "protected_routes") }
      } finally {
        database.close()
      }
    },
    catch: (error) => (error instanceof Unreadable ? error : new Unreadable({ detail: sentence(error) }))
  })

const rowsOf = (database: DatabaseSync, table: keyof typeof columns): ReadonlyArray<Row> => {
  const [master] = database.prepare("select type, sql from sqlite_master where lower(name) = ? limit 1").all(table)
  if (master === undefined) throw new Unreadable({ detail: healthSentence(`it has no table ${table}`) })
  if (master["type"] !== "table" || /^\s*create\s+virtual/i.test(String(master["sql"])))
    throw new Unreadable({ detail: healthSentence(`${table} is not a plain table`) })
  const known = database.prepare(`pragma table_xinfo(${table})`).all()
  const isThere = (name: string) => known.some((column) => String(column["name"]).toLowerCase() === name)
  // Reading a generated column runs an expression from the file.
  if (known.some((column) => column["hidden"] !== 0))
    throw new Unreadable({ detail: healthSentence(`${table} has generated columns`) })
  // Blobs become null, and so do texts with a NUL, which programs read with different ends.
  const read = (name: string) =>
    `case when typeof(${name}) = 'blob' or (typeof(${name}) = 'text' and instr(${name}, char(0)) > 0) then null ` +
    `when typeof(${name}) = 'text' then substr(${name}, 1, ${maxCell}) else ${name} end as ${name}`
  const list = columns[table].map((name) => (isThere(name) ? read(name) : `null as ${name}`))
  const statement = database.prepare(`select ${list.join(", ")} from ${table} limit ${maxRows + 1}`)
  // Reads integers as bigint: read as numbers, an integer beyond 2^53 would fail the whole file.
  statement.setReadBigInts(true)
  const rows = statement.all()
  if (rows.length > maxRows) throw new Unreadable({ detail: healthSentence(`${table} has more than ${maxRows} rows`) })
  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [name, typeof value === "bigint" ? Number(value) : value])
    )
  )
}

const sentence = (error: unknown): string =>
  error instanceof Error
    ? "code" in error && error.code === "ENOENT"
      ? "the file does not exist"
      : error.message
    : "the file cannot be read"
