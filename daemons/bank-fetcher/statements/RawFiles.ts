/**
 * Stores files from banks, and reads them again. A file is stored in compressed chunks, so files of any size take
 * little memory. Functions open their own transactions.
 */
import { Effect, Stream } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { createHash, randomUUID } from "node:crypto"
import { promisify } from "node:util"
import { zstdCompress, zstdDecompress } from "node:zlib"
import { Jobs } from "#core/jobs/Jobs.ts"
import { tenantTransaction } from "#core/sql/Sql.ts"
import { ParseWanted } from "../bank-store/BankJobs.ts"

/** Largest file of an import. Unit: bytes. Reason: 150,000 bookings as camt; larger files come in a ZIP file. */
export const maxImport = 256 * 1024 * 1024

/** Largest ZIP file of an import. Unit: bytes. Reason: it is in memory as a whole; camt shrinks to a twentieth. */
export const maxZip = 64 * 1024 * 1024

/** Size of a chunk before compression. Unit: bytes. Reason: few statements a file, and many uploads fit in memory. */
export const chunkSize = 1024 * 1024

/** Longest name that is stored. Unit: UTF-16 code units. */
const maxName = 200

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

export interface FileOrigin {
  readonly tenantId: number
  /** Account of the connection, or the account that a person named. */
  readonly accountId: string | null
  readonly source: "ebics" | "import"
  readonly orderType: string | null
  readonly name: string
}

export interface Stored {
  readonly fileId: string
  /** The tenant has this file already. Nothing was stored. */
  readonly duplicate: boolean
}

export interface FileProblem {
  readonly code: string
  readonly message: string
}

/** Writes one file in pieces. `end` makes it visible; `abort` deletes what was written. */
export interface FileWriter {
  readonly write: (piece: Uint8Array) => Effect.Effect<void, SqlError.SqlError, SqlClient.SqlClient>
  readonly end: (problem?: FileProblem) => Effect.Effect<Stored, SqlError.SqlError, SqlClient.SqlClient | Jobs>
  readonly abort: Effect.Effect<void, never, SqlClient.SqlClient>
}

export const writer = (origin: FileOrigin): FileWriter => {
  const { tenantId } = origin
  const id = randomUUID()
  const hash = createHash("sha256")
  let pieces: Array<Uint8Array> = []
  let gathered = 0
  let size = 0
  let chunks = 0
  let begun = false

  const insertFile = Effect.fnUntraced(function* () {
    const sql = yield* SqlClient.SqlClient
    const { accountId, name, orderType, source } = origin
    yield* sql`insert into bank_fetcher.raw_file
      (id, tenant_id, account_id, source, order_type, name, size, chunks, state)
      values (${id}, ${tenantId}, ${accountId}, ${source}, ${orderType}, ${storedName(name)}, 0, 0, 'receiving')`
    begun = true
  })

  const insertChunk = Effect.fnUntraced(function* (data: Buffer) {
    const sql = yield* SqlClient.SqlClient
    yield* sql`insert into bank_fetcher.raw_chunk (file_id, position, tenant_id, data)
      values (${id}, ${chunks}, ${tenantId}, ${data})`
    chunks++
  })

  const gatheredChunk = Effect.suspend(() => {
    const bytes = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces)
    pieces = []
    gathered = 0
    return Effect.promise(() => compress(bytes))
  })

  const flush = Effect.flatMap(gatheredChunk, (data) =>
    tenantTransaction(tenantId, Effect.andThen(begun ? Effect.void : insertFile(), insertChunk(data)))
  )

  const abort = Effect.suspend(() =>
    begun
      ? Effect.ignore(
          tenantTransaction(
            tenantId,
            Effect.flatMap(
              SqlClient.SqlClient,
              (sql) => sql`delete from bank_fetcher.raw_file where id = ${id} and state = 'receiving'`
            )
          )
        )
      : Effect.void
  )

  const finish = Effect.fnUntraced(function* (
    data: Buffer | undefined,
    sha256: string,
    problem: FileProblem | undefined
  ) {
    const sql = yield* SqlClient.SqlClient
    // The same file may be stored twice at once.
    yield* sql`select pg_advisory_xact_lock(hashtextextended(${`bank_fetcher.raw_file ${tenantId} ${sha256}`}, 0))`
    const [known] = yield* sql<{ id: string }>`select id from bank_fetcher.raw_file
      where tenant_id = ${tenantId} and sha256 = ${sha256}`
    if (known !== undefined) {
      yield* sql`delete from bank_fetcher.raw_file where id = ${id}`
      return { fileId: known.id, duplicate: true }
    }
    if (!begun) yield* insertFile()
    if (data !== undefined) yield* insertChunk(data)
    yield* sql`update bank_fetcher.raw_file set sha256 = ${sha256}, size = ${size}, chunks = ${chunks},
      received_at = now(), state = ${problem === undefined ? "waiting" : "failed"},
      problem = ${problem?.message ?? null}, problem_code = ${problem?.code ?? null} where id = ${id}`
    if (problem === undefined) yield* enqueue(tenantId, id)
    return { fileId: id, duplicate: false }
  })

  return {
    abort,
    write: (piece) =>
      Effect.suspend(() => {
        hash.update(piece)
        size += piece.length
        gathered += piece.length
        pieces.push(piece)
        return gathered < chunkSize ? Effect.void : flush
      }),
    end: (problem) =>
      Effect.suspend(() => {
        const sha256 = hash.digest("hex")
        return Effect.flatMap(gathered === 0 ? Effect.undefined : gatheredChunk, (data) =>
          tenantTransaction(tenantId, finish(data, sha256, problem))
        )
      })
  }
}

/** Stores a whole file; nothing stays after a failure. */
export const store = <E, R>(origin: FileOrigin, content: Stream.Stream<Uint8Array, E, R>, problem?: FileProblem) =>
  Effect.suspend(() => {
    const file = writer(origin)
    return Stream.runForEach(content, file.write).pipe(
      Effect.andThen(Effect.suspend(() => file.end(problem))),
      Effect.onError(() => file.abort)
    )
  })

/** Queues the reading of a file, in the surrounding transaction. */
export const enqueue = (tenantId: number, fileId: string) =>
  Effect.flatMap(Jobs, (jobs) =>
    jobs.send(ParseWanted, [{ data: { tenant_id: tenantId, file_id: fileId }, group: String(tenantId) }])
  )

/** Ids of the files among these that the tenant has already, by SHA-256. */
export const known = (tenantId: number, hashes: ReadonlyArray<string>) =>
  tenantTransaction(
    tenantId,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      if (hashes.length === 0) return new Map<string, string>()
      const rows = yield* sql<{ id: string; sha256: string }>`select id, sha256 from bank_fetcher.raw_file
        where tenant_id = ${tenantId} and sha256 in ${sql.in(hashes)}`
      return new Map(rows.map((row) => [row.sha256, row.id]))
    })
  )

/** Compressed chunks of a file, one at a time. */
export const compressedChunks = (tenantId: number, fileId: string, chunks: number) =>
  Stream.mapEffect(Stream.range(0, chunks - 1), (position) =>
    tenantTransaction(
      tenantId,
      Effect.flatMap(SqlClient.SqlClient, (sql) =>
        Effect.map(
          sql<{ data: Uint8Array }>`select data from bank_fetcher.raw_chunk
            where file_id = ${fileId} and position = ${position}`,
          ([row]) => row!.data
        )
      )
    )
  )

/** Content of a file as the bank sent it. */
export const content = (tenantId: number, fileId: string, chunks: number) =>
  Stream.mapEffect(compressedChunks(tenantId, fileId, chunks), (data) =>
    Effect.promise(() => decompress(data) as Promise<Uint8Array>)
  )

/** Name for lists and downloads: the last part of a path, without control characters. */
export const storedName = (name: string): string => {
  const last = name
    .toWellFormed()
    .replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, " ")
    .split(/[/\\]/)
    .at(-1)!
    .trim()
  const short = last.slice(0, maxName).toWellFormed().trim()
  return /^\.*$/.test(short) ? "unnamed" : short
}
