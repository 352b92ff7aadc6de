/** Reads the subscribers table of a SQLite file from a copy, without locking or writing the file. */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Result } from "effect"
import type { Row } from "./SubscriberRows.ts"

/** Whether the bytes start like a SQLite file. Source: SQLite's file format, §1.3.1. */
export const isSqlite = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.subarray(0, 16)).toString("latin1") === "SQLite format 3\0"

/** Files of one database by suffix: "", and "-wal" or "-journal" after an unfinished write. */
export type DatabaseFiles = Readonly<Record<string, Uint8Array>>

const table = "subscribers"

export interface TableRead {
  readonly rows: ReadonlyArray<Row>
  /** Wanted columns that exist, in lower case. */
  readonly columns: ReadonlySet<string>
}

/** Reads up to `maximum` + 1 rows with lower-case column names. Rejects only for errors of the local disk. */
export const readTable = async (
  files: DatabaseFiles,
  wanted: ReadonlyArray<string>,
  maximum: number
): Promise<Result.Result<TableRead, string>> => {
  const { DatabaseSync } = await import("node:sqlite")
  // The mode keeps the addresses private.
  const directory = await mkdtemp(join(tmpdir(), "signalbox-import-"))
  try {
    for (const [suffix, bytes] of Object.entries(files))
      await writeFile(join(directory, `copy${suffix}`), bytes, { mode: 0o600 })
    const database = new DatabaseSync(join(directory, "copy"), {
      allowExtension: false,
      enableForeignKeyConstraints: false
    })
    try {
      database.exec("pragma trusted_schema = off")
      // A view or a virtual table could run foreign code.
      const found = database
        .prepare(
          "select name from sqlite_schema where type = 'table' and lower(name) = ? and sql not like 'create virtual%'"
        )
        .get(table)
      if (found === undefined) return Result.fail(`has no table ${table}: is it the right file?`)
      const named = database
        .prepare("select name from pragma_table_info(?)")
        .all(found["name"] as string)
        .map((row) => row["name"] as string)
      const columns = new Map(
        named.filter((name) => wanted.includes(name.toLowerCase())).map((name) => [name.toLowerCase(), name])
      )
      const rows =
        columns.size === 0
          ? []
          : database
              .prepare(
                `select ${[...columns].map(([lower, name]) => `${quoted(name)} as ${quoted(lower)}`).join(", ")}
                  from ${quoted(found["name"] as string)} limit ?`
              )
              .all(maximum + 1)
      return Result.succeed({ rows: rows as ReadonlyArray<Row>, columns: new Set(columns.keys()) })
    } finally {
      database.close()
    }
  } catch (error) {
    const { code, errcode } = error as { readonly code?: unknown; readonly errcode?: unknown }
    if (code === "ERR_SQLITE_ERROR")
      return Result.fail(
        `is not a readable SQLite database (SQLite error ${String(errcode)}): copy it again while nothing writes to it`
      )
    if (code === "ERR_OUT_OF_RANGE") return Result.fail("has a number that is too large: correct it")
    throw error
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
