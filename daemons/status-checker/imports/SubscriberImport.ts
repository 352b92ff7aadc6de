/** Imports confirmed subscribers from SUBSCRIBERS_DB. Sends no mail. */
import { healthSentence } from "#core/daemon/Health.ts"
import { Effect, Result } from "effect"
import { SqlClient } from "effect/sql"
import { hash } from "node:crypto"
import { newUnsubscribe } from "../subscriptions/Exports.ts"
import { listIn, parse, read } from "../status-files/Exports.ts"
import { bytesOf, type Import, ImportProblem, nameOf, orProblem, parts } from "./Import.ts"
import { isSqlite, readTable, type TableRead } from "./SqliteTable.ts"
import { judge, knownColumns, maxSubscribers } from "./SubscriberRows.ts"

const variable = "SUBSCRIBERS_DB"

/** Largest file. Unit: bytes. Reason: 50,000 subscribers with tokens and indexes take a third of it. */
export const maxSubscribersFile = 64 * 1024 * 1024

/** Suffixes of files beside an open SQLite database. */
const beside = ["-wal", "-journal"]

export const subscriberImport = (path: string): Import => ({
  variable,
  path,
  prepare: Effect.gen(function* () {
    const bytes = yield* bytesOf(variable, path, maxSubscribersFile)
    const name = nameOf(variable, path)
    const table = isSqlite(bytes)
      ? Result.mapError(yield* tableOf(path, bytes), (problem) => `${name} ${problem}`)
      : Result.flatMap(
          Result.mapError(parse(bytes), (problem) => `${name} ${problem}`),
          (json) => Result.mapError(tableOfJson(json), (problem) => `${name}: ${problem}`)
        )
    const { confirmed, ...left } = yield* orProblem(
      Result.flatMap(table, ({ columns, rows }) =>
        Result.mapError(judge(rows, columns), (problem) => `${name} ${problem}`)
      )
    )
    // Sealing reads the key file, so it runs before the transaction.
    const sealed = yield* Effect.forEach(confirmed, (subscriber) =>
      Effect.map(newUnsubscribe, (columns) => ({ ...subscriber, ...columns }))
    )
    const store = Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      let added = 0
      for (const part of parts(sealed)) {
        const rows =
          yield* sql`insert into status_checker.subscribers (email, lang, status, unsubscribe, unsubscribe_envelope,
            confirmed_at)
          select email, lang, 'confirmed', unsubscribe, unsubscribe_envelope, now()
            from jsonb_to_recordset(${JSON.stringify(part)}::jsonb)
            as r (email text, lang text, unsubscribe text, unsubscribe_envelope text)
          on conflict (email) do nothing returning 1`
        added += rows.length
      }
      return { added, known: sealed.length - added, ...left }
    })
    return { sha256: hash("sha256", bytes, "hex"), store }
  })
})

const tableOf = Effect.fnUntraced(function* (path: string, bytes: Uint8Array) {
  const files: Record<string, Uint8Array> = { "": bytes }
  for (const suffix of beside) {
    const reading = yield* Effect.promise(() => read(path + suffix, maxSubscribersFile))
    if (reading._tag === "Read" && reading.bytes.length > 0) files[suffix] = reading.bytes
    if (reading._tag === "Moving")
      return yield* new ImportProblem({
        detail: healthSentence(`${nameOf(variable, path)} is being written`),
        again: "soon"
      })
  }
  return yield* Effect.promise(() => readTable(files, knownColumns, maxSubscribers))
})

/** A list of objects, alone or under "subscribers". Key names are case-insensitive, as in SQL. */
const tableOfJson = (json: unknown): Result.Result<TableRead, string> =>
  Result.gen(function* () {
    const { list, root } = yield* listIn(json, ["subscribers"])
    const columns = new Set<string>()
    const rows: Array<Readonly<Record<string, unknown>>> = []
    for (const [index, item] of list.entries()) {
      if (typeof item !== "object" || item === null || Array.isArray(item)) {
        return yield* Result.fail(
          `${root}[${index}] must be an object such as {"email": "anna@example.org", "lang": "de", "confirmed": true}`
        )
      }
      const known = Object.entries(item)
        .map(([key, value]) => [key.toLowerCase(), value] as const)
        .filter(([key]) => knownColumns.includes(key))
      for (const [key] of known) columns.add(key)
      rows.push(Object.fromEntries(known))
    }
    return { rows, columns }
  })
