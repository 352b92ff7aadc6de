import { describe, expect, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { readFileSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { isSqlite, readTable } from "#daemons/status-checker/imports/SqliteTable.ts"
import { knownColumns } from "#daemons/status-checker/imports/SubscriberRows.ts"
import { temporaryDirectory } from "#support/Postgres.ts"

/** The files of a database in which these statements ran. `open`: its writer goes on. */
const made = Effect.fnUntraced(function* (statements: string, open = false) {
  const path = join(yield* temporaryDirectory(), "subscribers.db")
  const database = yield* Effect.acquireRelease(
    Effect.sync(() => new DatabaseSync(path)),
    (database) => Effect.sync(() => database.isOpen && database.close())
  )
  database.exec(statements)
  if (!open) database.close()
  return path
})

/** Where this process puts what is temporary, until the scope ends. */
const ownTemporary = Effect.acquireRelease(
  Effect.map(temporaryDirectory(), (directory) => {
    const before = process.env["TMPDIR"]
    process.env["TMPDIR"] = directory
    return { directory, before }
  }),
  ({ before }) =>
    Effect.sync(() => (before === undefined ? delete process.env["TMPDIR"] : (process.env["TMPDIR"] = before)))
).pipe(Effect.map(({ directory }) => directory))

const read = (files: Readonly<Record<string, Uint8Array>>, maximum = 10) =>
  Effect.promise(() => readTable(files, knownColumns, maximum))
const problem = (bytes: Uint8Array) =>
  Effect.map(read({ "": bytes }), (result) =>
    Result.match(result, { onFailure: (text) => text, onSuccess: () => undefined })
  )
const rowsOf = (bytes: Uint8Array, maximum?: number) =>
  Effect.map(read({ "": bytes }, maximum), (result) => Result.getOrThrow(result).rows.map((row) => ({ ...row })))
const table =
  "create table Subscribers (id integer primary key, Email text, LANG text, confirmed int, token text); insert into subscribers values (1, 'a@b.example', 'de', 1, 'secret');"

describe("the table of subscribers in SQLite", () => {
  it.live("is read by column names in any case, without tokens, up to the limit", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const bytes = readFileSync(
          yield* made(
            `${table} insert into subscribers select value, 'x', 'en', 0, '' from json_each('[2, 3, 4, 5, 6, 7, 8, 9]')`
          )
        )
        expect(isSqlite(bytes)).toBe(true)
        expect(isSqlite(Buffer.from("[]"))).toBe(false)
        const rows = yield* rowsOf(bytes, 5)
        expect(rows).toHaveLength(6)
        expect(rows[0]).toEqual({ email: "a@b.example", lang: "de", confirmed: 1 })
      })
    )
  )

  it.live("includes rows of the write-ahead log, and leaves no file behind", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const path = yield* made(`pragma journal_mode = wal; ${table}`, true)
        const before = readFileSync(path)
        const files = { "": before, "-wal": readFileSync(`${path}-wal`) }
        const directory = yield* ownTemporary
        expect(Result.getOrThrow(yield* read(files)).rows).toHaveLength(1)
        expect(yield* problem(before)).toBe("has no table subscribers: is it the right file?")
        expect(readFileSync(path)).toEqual(before)
        expect(readdirSync(directory)).toEqual([])
      })
    )
  )

  it.live("is not a view, a virtual table or another table", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const none = "has no table subscribers: is it the right file?"
        for (const statements of [
          "create table other (email)",
          "create view subscribers as select 'a@b.example' as email, 1 as confirmed",
          "create virtual table subscribers using fts5(email, confirmed)"
        ]) {
          expect(yield* problem(readFileSync(yield* made(statements)))).toBe(none)
        }
        expect(
          yield* rowsOf(readFileSync(yield* made("create table subscribers (x); insert into subscribers values (1)")))
        ).toEqual([])
      })
    )
  )

  it.live("is reported as damaged when truncated, overwritten or with invalid numbers", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const bytes = readFileSync(yield* made(table))
        const broken =
          /^is not a readable SQLite database \(SQLite error \d+\): copy it again while nothing writes to it$/
        expect(yield* problem(bytes.subarray(0, 600))).toMatch(broken)
        expect(yield* problem(Buffer.concat([bytes.subarray(0, 100), Buffer.alloc(bytes.length - 100, 0xff)]))).toMatch(
          broken
        )
        expect(yield* problem(Buffer.concat([bytes.subarray(0, 4_096), Buffer.alloc(4_096, 0x5a)]))).toMatch(broken)
        expect(
          yield* problem(readFileSync(yield* made(`${table} update subscribers set confirmed = 9223372036854775807`)))
        ).toBe("has a number that is too large: correct it")
        // Names are quoted wherever they stand.
        const odd = yield* made(
          'create table "subscribers" ("email" text, "confirmed" int, "a""; drop table subscribers; --" int); insert into subscribers values (\'a@b.example\', 1, 2)'
        )
        expect(yield* rowsOf(readFileSync(odd))).toEqual([{ email: "a@b.example", confirmed: 1 }])
      })
    )
  )
})
