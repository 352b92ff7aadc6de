/**
 * Job worker for imports of CSV files. Each transaction writes some rows together with the progress, so another process
 * can resume after a crash. A row must identify what it describes: a repeated row updates the same thing.
 */
import { Effect, Result, Schema } from "effect"
import { type ClaimedJob, Jobs } from "../jobs/Jobs.ts"
import { SqlClient, tenantTransaction } from "../sql/Sql.ts"
import type { SqlError } from "effect/sql"
import { type CsvRow, csvRows } from "./CsvRows.ts"
import type { Author, ImportId, make, RowError } from "./Imports.ts"

/** Rows per transaction. Reason: about 300 statements, 0.1 s; other requests wait only briefly for a locked row. */
const batchSize = 50

/** Maximum number of imports of one kind at once. Reason: a long import must not delay a short one. */
const concurrency = 2

/** The row cannot be imported. The message names the column. */
export class RowRefused extends Schema.TaggedError<RowRefused>()("RowRefused", { message: Schema.String }) {}

/** Index of each known column; unknown columns are ignored. */
export type Columns<Column extends string> = ReadonlyMap<Column, number>

/** Finds the columns of a header, in any order and letter case; fails with the problem. */
export const columnFinder =
  <const Column extends string>(options: {
    readonly known: ReadonlyArray<Column>
    readonly required: ReadonlyArray<NoInfer<Column>>
    /** Other spellings of columns, in lower case. */
    readonly aliases?: Readonly<Record<string, NoInfer<Column>>>
  }) =>
  (header: ReadonlyArray<string>): Result.Result<Columns<Column>, string> => {
    const columns = new Map<Column, number>()
    for (const [at, cell] of header.entries()) {
      const name = cell.trim().toLowerCase()
      const column = options.known.find((column) => column === (options.aliases?.[name] ?? name))
      if (column === undefined) continue
      if (columns.has(column)) return Result.fail(`has the column ${column} twice`)
      columns.set(column, at)
    }
    const missing = options.required.filter((column) => !columns.has(column))
    return missing.length === 0
      ? Result.succeed(columns)
      : Result.fail(`must begin with a line that names the columns, including ${listed(missing)}`)
  }

/** `number, amount and issued_on`. */
const listed = (words: ReadonlyArray<string>): string =>
  words.length < 2 ? words.join() : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`

/** How rows of one kind are imported. */
export interface Rows<Column extends string, R> {
  readonly columnsOf: (header: ReadonlyArray<string>) => Result.Result<Columns<Column>, string>
  /** Writes one row in the surrounding transaction. A refused row must leave nothing. */
  readonly put: (
    tenantId: number,
    cells: ReadonlyArray<string>,
    columns: Columns<Column>,
    author: Author
  ) => Effect.Effect<"created" | "changed" | "unchanged", RowRefused | SqlError.SqlError, R>
  /** Runs in the transaction of each batch that created or changed something. */
  readonly written?: (tenantId: number) => Effect.Effect<void, SqlError.SqlError, R>
}

type Imports<Name extends string, Id extends ImportId> = ReturnType<typeof make<Name, Id>>

/** Registers the worker. */
export const importWorker = <Name extends string, Id extends ImportId, Column extends string, R>(
  imports: Imports<Name, Id>,
  rows: Rows<Column, R>
) =>
  Jobs.worker({
    type: imports.job,
    concurrency,
    handle: ({ data }: ClaimedJob<{ readonly import_id: Id; readonly tenant_id: number }>) =>
      work(imports, rows, data.tenant_id, data.import_id)
  })

const work = Effect.fnUntraced(function* <Name extends string, Id extends ImportId, Column extends string, R>(
  imports: Imports<Name, Id>,
  rows: Rows<Column, R>,
  tenantId: number,
  id: Id
) {
  const file = yield* tenantTransaction(tenantId, imports.begun(id))
  if (file === undefined) return
  const author: Author = { actor: file.actor, address: file.address ?? undefined }
  if (file.rows_total === null) {
    const total = yield* Effect.promise(() => count(file.body))
    yield* tenantTransaction(tenantId, imports.counted(id, total))
  }
  let done = file.rows_done
  const batches = batchesOf(file.body, done, rows.columnsOf)
  while (true) {
    const next = yield* Effect.promise(() => batches.next())
    if (next.done === true) break
    const write = batch({ imports, rows, tenantId, id, done, author, ...next.value })
    const ours = yield* tenantTransaction(tenantId, write)
    // Another process took the import over, because this one was silent for too long and counted as dead.
    if (!ours) return
    done += next.value.found.length
  }
  yield* tenantTransaction(tenantId, imports.finish(id))
})

const batch = Effect.fnUntraced(function* <Name extends string, Id extends ImportId, Column extends string, R>({
  author,
  columns,
  done,
  found,
  id,
  imports,
  rows,
  tenantId
}: {
  readonly imports: Imports<Name, Id>
  readonly rows: Rows<Column, R>
  readonly tenantId: number
  readonly id: Id
  readonly done: number
  readonly author: Author
  readonly found: ReadonlyArray<CsvRow>
  readonly columns: Columns<Column>
}) {
  const sql = yield* SqlClient.SqlClient
  // Concurrent imports of a tenant could lock the same rows in different order and deadlock.
  yield* sql`select pg_advisory_xact_lock(hashtext(${imports.table}), ${tenantId})`
  if (!(yield* imports.taken(id, done, found.length))) return false
  const counts = { created: 0, changed: 0, unchanged: 0, failed: 0 }
  const errors: Array<RowError> = []
  for (const row of found) {
    const written =
      "problem" in row
        ? Effect.fail(new RowRefused({ message: row.problem }))
        : rows.put(tenantId, row.cells, columns, author)
    const outcome = yield* Effect.catchTag(written, "RowRefused", ({ message }) => {
      errors.push({ line: row.line, message })
      return Effect.succeed("failed" as const)
    })
    counts[outcome]++
  }
  yield* imports.record(id, counts, errors)
  if (counts.created + counts.changed > 0 && rows.written !== undefined) yield* rows.written(tenantId)
  return true
})

/** Yields the rows after the header and the first `done` rows, in batches. */
async function* batchesOf<Column extends string>(
  text: string,
  done: number,
  columnsOf: Rows<Column, never>["columnsOf"]
): AsyncGenerator<{ readonly found: ReadonlyArray<CsvRow>; readonly columns: Columns<Column> }> {
  let columns: Columns<Column> | undefined
  let seen = 0
  let found: Array<CsvRow> = []
  for await (const row of csvRows(text)) {
    if (columns === undefined) {
      // The header was checked when the file was uploaded.
      columns = Result.getOrThrow(columnsOf("cells" in row ? row.cells : []))
      continue
    }
    if (++seen <= done) continue
    found.push(row)
    if (found.length < batchSize) continue
    yield { found, columns }
    found = []
  }
  if (found.length > 0) yield { found, columns: columns! }
}

const count = async (text: string): Promise<number> => {
  let rows = -1
  for await (const _ of csvRows(text)) rows++
  return rows
}

/** Problem with the file as a whole; undefined when the import can start. */
export const fileProblem = async (
  text: string,
  columnsOf: Rows<string, never>["columnsOf"]
): Promise<string | undefined> => {
  if (text.includes("\0")) return "must be a text file"
  for await (const row of csvRows(text)) {
    const columns = "problem" in row ? Result.fail(`begins with a line that ${row.problem}`) : columnsOf(row.cells)
    return Result.isFailure(columns) ? columns.failure : undefined
  }
  return "is empty"
}
