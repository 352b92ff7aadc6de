/** Imports of files by hand, and the repeated reading of failed files. */
import { Effect, Result, Stream } from "effect"
import { HttpServerError, type HttpServerRequest } from "effect/http"
import { SqlClient } from "effect/sql"
import { inScope } from "#core/auth/Caller.ts"
import { client } from "#core/http/Client.ts"
import { NotFound, Unavailable } from "#core/http/Problem.ts"
import * as Audit from "#core/log/Audit.ts"
import { detect } from "#protocols/bank-formats/Detect.ts"
import * as Accounts from "./Accounts.ts"
import { NotRead, TooLarge } from "./Errors.ts"
import { limited } from "./ImportLimits.ts"
import { keepFiles, type KeptFile } from "./KeepFiles.ts"
import * as Lists from "./Lists.ts"
import { enqueue, type FileOrigin, maxImport, maxZip, writer } from "./RawFiles.ts"

/** Bytes in front that decide the format. Unit: bytes. */
const lookAt = 512

interface Named {
  readonly account?: string
  readonly name?: string
}

/** Stores the body of the request; a ZIP file is opened. */
export const importFile = Effect.fnUntraced(function* (
  tenantId: number,
  { account, name }: Named,
  request: HttpServerRequest.HttpServerRequest
) {
  if (account !== undefined && (yield* inScope(Accounts.byId(tenantId, account))) === undefined)
    return yield* new NotFound({ detail: "The account does not exist." })
  const origin: FileOrigin = {
    tenantId,
    accountId: account ?? null,
    source: "import",
    orderType: null,
    name: name ?? nameOf(request.headers["content-disposition"] ?? "") ?? "import"
  }
  const kept = yield* limited(tenantId, receive(origin, request.stream)).pipe(
    // The client disconnected during the upload, so nobody reads an answer.
    Effect.catchIf(HttpServerError.isHttpServerError, (error) => Effect.die(error)),
    Effect.catchTag("StoringFailed", () => Effect.fail(new Unavailable({ detail: "The database does not answer." })))
  )
  const { address } = yield* client
  for (const { duplicate, fileId } of kept)
    if (!duplicate)
      yield* inScope(
        Audit.writeFor({ tenantId, address, action: "bank_file.imported", entity: "bank_file", id: fileId })
      )
  return kept
})

/** Stores a text file as it comes; a ZIP file is gathered, because its directory is at its end. Bounds are in bytes. */
export const receive = <E, R>(
  origin: FileOrigin,
  body: Stream.Stream<Uint8Array, E, R>,
  bounds = { text: maxImport, zip: maxZip }
) =>
  Effect.suspend(() => {
    const file = writer(origin)
    let first: Array<Uint8Array> = []
    let size = 0
    let format: "Zip" | "text" | undefined
    const begin = Effect.gen(function* () {
      const start = Buffer.concat(first)
      const found = detect(start)
      if (Result.isFailure(found))
        return yield* new NotRead({ detail: "The file is neither camt.052, camt.053, MT940, MT942 nor a ZIP file." })
      format = found.success === "Zip" ? "Zip" : "text"
      if (format === "Zip") return
      first = []
      yield* file.write(start)
    })
    const bound = (limit: number) =>
      size > limit
        ? Effect.fail(new TooLarge({ limit, detail: `The file may have at most ${limit} bytes.` }))
        : Effect.void
    const take = Effect.fnUntraced(function* (piece: Uint8Array) {
      size += piece.length
      if (format === "text") {
        yield* bound(bounds.text)
        return yield* file.write(piece)
      }
      first.push(piece)
      if (format === "Zip") yield* bound(bounds.zip)
      else if (size >= lookAt) yield* begin
    })
    return Stream.runForEach(body, take).pipe(
      Effect.andThen(Effect.suspend(() => (format === undefined ? begin : Effect.void))),
      Effect.andThen(
        Effect.gen(function* () {
          const kept: ReadonlyArray<KeptFile> =
            format === "Zip" ? yield* keepFiles({ ...origin, bytes: Buffer.concat(first) }) : [yield* file.end()]
          return kept
        })
      ),
      Effect.onError(() => file.abort)
    )
  })

/** Name in a Content-Disposition header. */
const nameOf = (header: string): string | undefined => {
  const encoded = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(header)?.[1]
  if (encoded !== undefined) {
    try {
      return decodeURIComponent(encoded)
    } catch {
      // The plain name is the fallback.
    }
  }
  const [, quoted, plain] = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(header) ?? []
  return quoted?.replace(/\\(.)/g, "$1") ?? plain
}

/** Queues a failed file again. `again`: false for a file that was read, or is waiting. */
export const requeue = Effect.fnUntraced(function* (id: string) {
  const sql = yield* SqlClient.SqlClient
  const file = yield* Lists.file(id)
  const changed = yield* sql`update bank_fetcher.raw_file set state = 'waiting', problem = null, problem_code = null,
    parsed_at = null where id = ${id} and state = 'failed' returning 1`
  if (changed.length === 0) return { again: false, file }
  yield* enqueue(file.tenant_id, id)
  return { again: true, file: yield* Lists.file(id) }
})

/** Queues a failed file again for the caller, and returns it. */
export const readAgain = Effect.fnUntraced(function* (id: string) {
  const { again, file } = yield* requeue(id)
  if (again) {
    const { address } = yield* client
    const entry = { action: "bank_file.read_again", entity: "bank_file", id }
    yield* Audit.writeFor({ tenantId: file.tenant_id, address, ...entry })
  }
  return file
})
