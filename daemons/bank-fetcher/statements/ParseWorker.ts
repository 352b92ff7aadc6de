/**
 * Job worker that reads files: a thread turns a file into rows, which are stored beside the tables, and become
 * statements and transactions in one transaction. A crash before that leaves nothing; the job starts again.
 */
import { Effect, Result } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { type ClaimedJob, Jobs } from "#core/jobs/Jobs.ts"
import { tenantTransaction } from "#core/sql/Sql.ts"
import { isIban } from "#protocols/bank-formats/Values.ts"
import { ParseWanted } from "../bank-store/BankJobs.ts"
import { malformed } from "#protocols/bank-formats/BankFormatsError.ts"
import * as Accounts from "./Accounts.ts"
import { announce, refreshChain } from "./Chain.ts"
import { notReadable, problemOf } from "./FileProblems.ts"
import { lockTenant, place, type ReadStatement } from "./Placing.ts"
import { compressedChunks, type FileProblem } from "./RawFiles.ts"
import type { Part } from "./reading/FileReading.ts"
import { maxReadings, ReadingEnded, ReadingThread } from "./reading/ReadingThread.ts"
import type { StatementHead } from "./reading/Rows.ts"

/** How often a file may end its thread before it counts as unreadable. */
const maxEnded = 2

/** Longest statement of the transaction that publishes a file. Unit: minutes. Reason: a million rows take one. */
const publishTimeout = 10

/** Rows above which `publishTimeout` holds. Reason: fewer fit into the platform's limit of a statement. */
const manyRows = 50_000

export const parseWorker = Jobs.worker({
  type: ParseWanted,
  concurrency: maxReadings,
  // A tenant's long import must not delay the others.
  perGroup: 1,
  handle: ({ data, retries }: ClaimedJob<typeof ParseWanted.data.Type>) => parse(data.tenant_id, data.file_id, retries)
})

interface WaitingFile {
  readonly id: string
  readonly chunks: number
  readonly account_id: string | null
}

const parse = Effect.fnUntraced(function* (tenantId: number, fileId: string, retries: number) {
  const sql = yield* SqlClient.SqlClient
  const thread = yield* ReadingThread
  const reading = randomUUID()
  const [file] = yield* tenantTransaction(
    tenantId,
    Effect.andThen(
      sql`delete from bank_fetcher.parsed_rows where file_id = ${fileId}`,
      sql<WaitingFile>`select id, chunks, account_id from bank_fetcher.raw_file
        where id = ${fileId} and state = 'waiting'`
    )
  )
  if (file === undefined) return
  const statements: Array<ReadStatement> = []
  let head: StatementHead | undefined
  let position = 0
  const take = Effect.fnUntraced(function* (parts: ReadonlyArray<Part>) {
    const rows: Array<{ readonly position: number; readonly statement: number; readonly json: string }> = []
    for (const part of parts) {
      if (part._tag === "Head") head = part.head
      else if (part._tag === "Rows") rows.push({ position: position++, statement: statements.length, json: part.json })
      else statements.push({ position: statements.length, head: head!, summary: part.summary })
    }
    if (rows.length === 0) return
    yield* tenantTransaction(
      tenantId,
      Effect.forEach(
        rows,
        (one) => sql`insert into bank_fetcher.parsed_rows (file_id, reading, position, tenant_id, statement, rows)
          values (${fileId}, ${reading}, ${one.position}, ${tenantId}, ${one.statement}, ${one.json}::text::jsonb)`,
        { discard: true }
      )
    )
  })
  const problem = yield* thread.read(compressedChunks(tenantId, fileId, file.chunks), take).pipe(
    Effect.map((read) => (Result.isFailure(read) ? problemOf(read.failure) : undefined)),
    Effect.catchTag("ReadingEnded", (error) =>
      retries + 1 < maxEnded ? Effect.fail(error) : Effect.succeed(notReadable(error.message))
    )
  )
  yield* tenantTransaction(
    tenantId,
    problem === undefined ? publish(tenantId, file, { reading, statements, batches: position }) : fail(file, problem)
  )
})

/** A file whose rows are stored under `reading`, in this number of batches. */
interface ReadFile {
  readonly reading: string
  readonly statements: ReadonlyArray<ReadStatement>
  readonly batches: number
}

const isWaiting = Effect.fnUntraced(function* (id: string) {
  const sql = yield* SqlClient.SqlClient
  const found = yield* sql`select 1 from bank_fetcher.raw_file where id = ${id} and state = 'waiting' for update`
  return found.length > 0
})

/** The file stays, with the problem; nothing of it becomes a statement. */
const fail = Effect.fnUntraced(function* ({ id }: WaitingFile, problem: FileProblem) {
  const sql = yield* SqlClient.SqlClient
  if (!(yield* isWaiting(id))) return
  yield* sql`delete from bank_fetcher.parsed_rows where file_id = ${id}`
  yield* sql`update bank_fetcher.raw_file set state = 'failed', problem = ${problem.message},
    problem_code = ${problem.code}, parsed_at = now() where id = ${id}`
})

const publish = Effect.fnUntraced(function* (
  tenantId: number,
  file: WaitingFile,
  { batches, reading, statements }: ReadFile
) {
  const sql = yield* SqlClient.SqlClient
  const rows = statements.reduce((sum, { summary }) => sum + summary.transactions, 0)
  if (rows > manyRows) yield* sql`select set_config('statement_timeout', ${`${publishTimeout}min`}, true)`
  yield* lockTenant(tenantId)
  // Another process may have read the file meanwhile.
  if (!(yield* isWaiting(file.id))) return
  const [stored] = yield* sql<{ batches: number }>`select count(*)::int as batches from bank_fetcher.parsed_rows
    where file_id = ${file.id} and reading = ${reading}`
  // Another process reads the file, because our claim of the job expired. It deleted our rows.
  if (stored!.batches !== batches) return yield* new ReadingEnded({ message: "another process reads the file" })
  const named = file.account_id === null ? undefined : yield* Accounts.byId(tenantId, file.account_id)
  const placed = statements.map((one) =>
    named !== undefined && (one.head.iban === null || !isIban(one.head.iban))
      ? { ...one, head: { ...one.head, iban: named.iban } }
      : one
  )
  if (placed.some(({ head }) => head.iban === null))
    return yield* fail(file, problemOf(malformed("a statement has no account")))
  const ibans = [...new Set(placed.map(({ head }) => head.iban!))]
  const accounts = yield* Accounts.byIban(tenantId, ibans)
  const ids: Array<string> = []
  const since = new Map<string, { iban: string; currency: string | null; since: string | null }>()
  for (const one of placed) {
    const { currency, iban } = one.head
    const id = yield* place({ tenantId, fileId: file.id, reading }, one, accounts.get(iban!))
    if (id === undefined) continue
    ids.push(id)
    const day = one.head.from ?? one.summary.firstDay
    const key = `${iban} ${currency}`
    const before = since.get(key)
    if (before === undefined || (before.since !== null && day !== null && day < before.since))
      since.set(key, { iban: iban!, currency, since: day })
  }
  for (const key of since.values()) yield* refreshChain(tenantId, key)
  yield* sql`update bank_fetcher.raw_file set state = 'parsed', problem = null, problem_code = null,
    parsed_at = now(), statements = ${ids.length}, known_statements = ${placed.length - ids.length}
    where id = ${file.id}`
  yield* sql`delete from bank_fetcher.parsed_rows where file_id = ${file.id}`
  yield* announce(tenantId, ids)
})
