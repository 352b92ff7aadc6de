/**
 * Reads the SQLite file that AUTH_DB_PATH names: plain tables alone, read-only, bounded. A file may come from anywhere:
 * a view in the place of a table could run for ever, a cell could hold a gigabyte. Blocks while it reads; call it at
 * start, outside transactions.
 */
import { Effect, Schema } from "effect"
import { statSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import type { Row } from "./OldRows.ts"

/** Largest file. Unit: bytes. */
const maxSize = 512 * 1024 * 1024

/** Rows of one table. Unit: rows. Reason: some seconds of reading. */
const maxRows = 100_000

/** Longest text of a cell. Unit: characters. What is longer is cut, and refused for its form. */
const maxCell = 10_000

/** The file cannot be taken in; `detail` says why. */
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
      if (!found.isFile()) throw new Unreadable({ detail: "it is no file" })
      if (found.size > maxSize) throw new Unreadable({ detail: `it is larger than ${maxSize} bytes` })
      const database = new DatabaseSync(path, {
        readOnly: true,
        allowExtension: false,
        enableForeignKeyConstraints: false
      })
      try {
        // What a schema of another's making could do beside being read.
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
  if (master === undefined) throw new Unreadable({ detail: `it has no table ${table}` })
  if (master["type"] !== "table" || /^\s*create\s+virtual/i.test(String(master["sql"])))
    throw new Unreadable({ detail: `${table} is no plain table` })
  const known = database.prepare(`pragma table_xinfo(${table})`).all()
  const isThere = (name: string) => known.some((column) => String(column["name"]).toLowerCase() === name)
  // A generated column is computed while it is read, by whatever it says.
  if (known.some((column) => column["hidden"] !== 0)) throw new Unreadable({ detail: `${table} has generated columns` })
  // No bytes, and no text that ends at a NUL for one reader and not for another.
  const read = (name: string) =>
    `case when typeof(${name}) = 'blob' or (typeof(${name}) = 'text' and instr(${name}, char(0)) > 0) then null when typeof(${name}) = 'text' then substr(${name}, 1, ${maxCell}) else ${name} end as ${name}`
  const list = columns[table].map((name) => (isThere(name) ? read(name) : `null as ${name}`))
  const statement = database.prepare(`select ${list.join(", ")} from ${table} limit ${maxRows + 1}`)
  // SQLite's integers are longer than a number is exact; read as numbers, one too long would fail the whole file.
  statement.setReadBigInts(true)
  const rows = statement.all()
  if (rows.length > maxRows) throw new Unreadable({ detail: `${table} has more than ${maxRows} rows` })
  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [name, typeof value === "bigint" ? Number(value) : value])
    )
  )
}

const sentence = (error: unknown): string =>
  error instanceof Error
    ? "code" in error && error.code === "ENOENT"
      ? "it is not there"
      : error.message
    : "it cannot be read"
