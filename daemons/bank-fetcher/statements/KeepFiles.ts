/** Stores what a bank sent: one file, or the files of a ZIP file. */
import { Effect, Stream } from "effect"
import type { SqlClient } from "effect/sql"
import { createHash } from "node:crypto"
import type { Jobs } from "#core/jobs/Jobs.ts"
import { malformed } from "#protocols/bank-formats/BankFormatsError.ts"
import { zipError, zipped } from "#protocols/bank-formats/Zip.ts"
import { StoringFailed } from "./Errors.ts"
import { problemOf } from "./FileProblems.ts"
import * as RawFiles from "./RawFiles.ts"

export interface KeptFile {
  readonly fileId: string
  /** The tenant has this file already. */
  readonly duplicate: boolean
}

/**
 * Stores files durably, each with its own transactions, and returns after the last commit. New files are queued for
 * reading. A ZIP file that cannot be opened is stored as it is, with the problem. After a failure, a repeated call
 * stores the missing files only.
 */
export const keepFiles = ({
  bytes,
  ...origin
}: RawFiles.FileOrigin & { readonly bytes: Uint8Array }): Effect.Effect<
  ReadonlyArray<KeptFile>,
  StoringFailed,
  SqlClient.SqlClient | Jobs
> =>
  (isZip(bytes) ? keepZip(origin, bytes) : Effect.map(RawFiles.store(origin, piecesOf(bytes)), (one) => [one])).pipe(
    Effect.catchTag("SqlError", (error) => Effect.fail(new StoringFailed({ detail: error.message })))
  )

/** The file in pieces of a chunk, so that hashing and compressing a large one does not stop the event loop. */
const piecesOf = (bytes: Uint8Array): Stream.Stream<Uint8Array> =>
  Stream.fromIterable(slices(bytes, RawFiles.chunkSize), { chunkSize: 1 })

function* slices(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size)
}

export const isZip = (bytes: Uint8Array) => bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] === 3 || bytes[2] === 5)

const keepZip = Effect.fnUntraced(function* (origin: RawFiles.FileOrigin, bytes: Uint8Array) {
  // Read twice, so that nothing of a damaged archive is stored and no file is in memory as a whole.
  const listed = yield* Effect.result(Effect.tryPromise({ try: () => list(bytes), catch: zipError }))
  if (listed._tag === "Failure") return [yield* RawFiles.store(origin, piecesOf(bytes), problemOf(listed.failure))]
  const files = listed.success
  const known = yield* RawFiles.known(
    origin.tenantId,
    files.map(({ sha256 }) => sha256)
  )
  const kept: Array<KeptFile> = []
  const archive = zipped(bytes)
  for (const { name, sha256 } of files) {
    // The archive was read completely before, so an error now is a defect.
    const { value } = yield* Effect.promise(() => archive.next())
    const fileId = known.get(sha256)
    kept.push(
      fileId === undefined
        ? yield* RawFiles.store(
            { ...origin, name },
            Stream.orDie(Stream.fromAsyncIterable(value.content as AsyncIterable<Uint8Array>, zipError))
          )
        : { fileId, duplicate: true }
    )
  }
  return kept
})

const list = async (bytes: Uint8Array) => {
  const files: Array<{ readonly name: string; readonly sha256: string }> = []
  for await (const { content, name } of zipped(bytes)) {
    const hash = createHash("sha256")
    for await (const chunk of content) hash.update(chunk)
    files.push({ name, sha256: hash.digest("hex") })
  }
  if (files.length === 0) throw malformed("the ZIP archive contains no file")
  return files
}
