/** One-time import of a file of another system. The rows and the import mark are written in one transaction. */
import { PgClient } from "@effect/sql-pg"
import { Effect, Result, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { hash } from "node:crypto"
import { basename } from "node:path"
import { healthSentence } from "#core/daemon/Health.ts"
import * as Audit from "#core/log/Audit.ts"
import { providerTenant } from "#core/auth/Caller.ts"
import type { Database } from "#core/sql/Database.ts"
import type { SecretError, Secrets } from "#core/config/Secrets.ts"
import { transaction } from "#core/sql/Sql.ts"
import { Wake } from "#core/events/Wake.ts"
import { topic } from "../status/Model.ts"
import { parse, read, type StatusFiles } from "../status-files/Exports.ts"

/** The file cannot be imported. `again`: when another attempt can succeed. */
export class ImportProblem extends Schema.TaggedError<ImportProblem>()("ImportProblem", {
  detail: Schema.String,
  again: Schema.Literals(["changed", "soon"])
}) {
  override get message() {
    return this.detail
  }
}

export type Counts = Readonly<Record<string, number>>

export type ImportServices = SqlClient.SqlClient | PgClient.PgClient | Database | Wake | Secrets | StatusFiles

/** Result of everything that runs before the transaction. */
export interface Prepared {
  /** Hash of the file. */
  readonly sha256: string
  /** Writes the rows in the surrounding transaction; returns the counts. */
  readonly store: Effect.Effect<Counts, SqlError.SqlError, ImportServices>
}

export interface Import {
  /** Name of the import in the table `imports`. */
  readonly variable: string
  readonly path: string
  readonly prepare: Effect.Effect<Prepared, ImportProblem | SqlError.SqlError | SecretError, ImportServices>
}

/** Rows of one statement. Unit: rows. Reason: a few hundred kilobytes. */
export const rowsAtOnce = 5_000

export interface Imported {
  readonly at: Date
  readonly counts: Counts
}

/** Time and counts of a finished import; undefined when there is none. */
export const importedAt = Effect.fnUntraced(function* (variable: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Imported>`select at, counts from status_checker.imports where source = ${variable}`
  return row
})

/** Imports the file unless this or another process has done so. */
export const importOnce = Effect.fnUntraced(function* ({ prepare, variable }: Import) {
  const before = yield* importedAt(variable)
  if (before !== undefined) return before
  const { sha256, store } = yield* prepare
  const taken = yield* transaction(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const pg = yield* PgClient.PgClient
      const mine = yield* sql<{
        at: Date
      }>`insert into status_checker.imports (source, sha256) values (${variable}, ${sha256}) on conflict do nothing
        returning at`
      if (mine.length === 0) return undefined
      const counts = yield* store
      yield* sql`update status_checker.imports set counts = ${pg.json(counts)} where source = ${variable}`
      yield* Audit.write({
        tenantId: providerTenant,
        actor: "system",
        action: "import.taken",
        entity: "import",
        id: variable,
        detail: { sha256, ...counts }
      })
      yield* (yield* Wake).announce(topic)
      return { at: mine[0]!.at, counts }
    })
  )
  return taken ?? (yield* importedAt(variable))!
})

/** Name of the file in messages. */
export const nameOf = (variable: string, path: string): string => `${variable} (${basename(path)})`

/** All bytes of the file. */
export const bytesOf = Effect.fnUntraced(function* (variable: string, path: string, maximum: number) {
  const reading = yield* Effect.promise(() => read(path, maximum))
  if (reading._tag === "Read") return reading.bytes
  const name = nameOf(variable, path)
  return yield* reading._tag === "Moving"
    ? new ImportProblem({ detail: healthSentence(`${name} is being written`), again: "soon" })
    : new ImportProblem({ detail: `${name} ${reading.problem}`, again: "changed" })
})

/** Content of the file, decoded by `decode`. */
export const contentOf = <A>({
  decode,
  maximum,
  path,
  variable
}: {
  readonly variable: string
  readonly path: string
  readonly maximum: number
  readonly decode: (json: unknown) => Result.Result<A, string>
}): Effect.Effect<{ readonly content: A; readonly sha256: string }, ImportProblem> =>
  Effect.gen(function* () {
    const bytes = yield* bytesOf(variable, path, maximum)
    const name = nameOf(variable, path)
    const json = Result.mapError(parse(bytes), (problem) => `${name} ${problem}`)
    const content = yield* orProblem(
      Result.flatMap(json, (value) => Result.mapError(decode(value), (problem) => `${name}: ${problem}`))
    )
    return { content, sha256: hash("sha256", bytes, "hex") }
  })

export const orProblem = <A>(result: Result.Result<A, string>): Effect.Effect<A, ImportProblem> =>
  Result.match(result, {
    onFailure: (detail) => Effect.fail(new ImportProblem({ detail, again: "changed" })),
    onSuccess: Effect.succeed
  })

/** Splits a list into parts of `rowsAtOnce`. */
export const parts = <A>(items: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(items.length / rowsAtOnce) }, (_, index) =>
    items.slice(index * rowsAtOnce, (index + 1) * rowsAtOnce)
  )
