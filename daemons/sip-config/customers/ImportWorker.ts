/**
 * Job worker for imports of customers. Each transaction writes some rows together with the progress, so another process
 * can resume after a crash. The customer number identifies a customer: a repeated row updates the same customer.
 */
import { Effect, Result } from "effect"
import type { CountryCode } from "libphonenumber-js/min"
import { Jobs } from "#core/jobs/Jobs.ts"
import { SqlClient, tenantTransaction } from "#core/sql/Sql.ts"
import { type CsvRow, csvRows } from "./CsvRows.ts"
import { type Columns, columnsOf, customerOf } from "./CustomerRow.ts"
import * as Customers from "./Customers.ts"
import type { Author } from "./CustomerTelling.ts"
import * as Imports from "./Imports.ts"

/** Rows per transaction. Reason: about 300 statements, 0.1 s; other requests wait only briefly for a locked row. */
const batchSize = 50

/** Maximum number of imports at once. Reason: a long import must not delay a short one. */
const concurrency = 2

/** Registers the worker. `country`: country of numbers without a country code. */
export const importWorker = (country: CountryCode) =>
  Jobs.worker({
    type: Imports.ImportCustomers,
    concurrency,
    handle: ({ data }) => work(data.tenant_id, data.import_id, country)
  })

const work = Effect.fnUntraced(function* (tenantId: number, id: number, country: CountryCode) {
  const file = yield* tenantTransaction(tenantId, Imports.begun(id))
  if (file === undefined) return
  const author: Author = { actor: file.actor, address: file.address ?? undefined }
  if (file.rows_total === null) {
    const rows = yield* Effect.promise(() => count(file.body))
    yield* tenantTransaction(tenantId, Imports.counted(id, rows))
  }
  let done = file.rows_done
  const batches = batchesOf(file.body, done)
  while (true) {
    const next = yield* Effect.promise(() => batches.next())
    if (next.done === true) break
    const { columns, rows } = next.value
    const ours = yield* tenantTransaction(tenantId, batch(tenantId, id, done, rows, columns, country, author))
    // Another process took the import over, because this one was silent for too long and counted as dead.
    if (!ours) return
    done += rows.length
  }
  yield* tenantTransaction(tenantId, Imports.finish(id))
})

const batch = Effect.fnUntraced(function* (
  tenantId: number,
  id: number,
  done: number,
  rows: ReadonlyArray<CsvRow>,
  columns: Columns,
  country: CountryCode,
  author: Author
) {
  const sql = yield* SqlClient.SqlClient
  // Concurrent imports of a tenant could lock the same customers in different order and deadlock.
  yield* sql`select pg_advisory_xact_lock(hashtext('sip_config.customer_import'), ${tenantId})`
  if (!(yield* Imports.taken(id, done, rows.length))) return false
  const counts = { created: 0, changed: 0, unchanged: 0, failed: 0 }
  const errors: Array<Imports.RowError> = []
  for (const row of rows) {
    const customer = "problem" in row ? Result.fail(row.problem) : customerOf(row.cells, columns, country)
    if (Result.isFailure(customer)) {
      counts.failed++
      errors.push({ line: row.line, message: customer.failure })
    } else counts[yield* Customers.put(tenantId, customer.success, author)]++
  }
  yield* Imports.record(id, counts, errors)
  return true
})

/** Yields the rows after the header and the first `done` rows, in batches. */
async function* batchesOf(
  text: string,
  done: number
): AsyncGenerator<{ readonly rows: ReadonlyArray<CsvRow>; readonly columns: Columns }> {
  let columns: Columns | undefined
  let seen = 0
  let rows: Array<CsvRow> = []
  for await (const row of csvRows(text)) {
    if (columns === undefined) {
      // The header was checked when the file was uploaded.
      columns = Result.getOrThrow(columnsOf("cells" in row ? row.cells : []))
      continue
    }
    if (++seen <= done) continue
    rows.push(row)
    if (rows.length < batchSize) continue
    yield { rows, columns }
    rows = []
  }
  if (rows.length > 0) yield { rows, columns: columns! }
}

const count = async (text: string): Promise<number> => {
  let rows = -1
  for await (const _ of csvRows(text)) rows++
  return rows
}

/** Problem with the file as a whole; undefined when the import can start. */
export const fileProblem = async (text: string): Promise<string | undefined> => {
  if (text.includes("\0")) return "must be a text file"
  for await (const row of csvRows(text)) {
    const columns = "problem" in row ? Result.fail(`begins with a line that ${row.problem}`) : columnsOf(row.cells)
    return Result.isFailure(columns) ? columns.failure : undefined
  }
  return "is empty"
}
