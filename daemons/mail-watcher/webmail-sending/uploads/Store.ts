/**
 * SQL of uploaded files. They are stored in Postgres, which is all that the hosts share, in chunks that fit in a
 * statement and in memory. A file belongs to one account and expires after a day.
 */
import { Effect, Stream } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { FileUploaded } from "#core/contracts/Files.ts"
import { type Caller, inScope } from "#core/auth/Caller.ts"
import { Events } from "#core/events/Events.ts"
import type { Account } from "../../accounts/Exports.ts"
import { TooLarge } from "../Errors.ts"

/** Largest file. Unit: bytes. Reason: as base64 it reaches the 35 MB that mail servers accept. */
export const maxUpload = 25 * 1024 * 1024

/** Largest total of an account's waiting files. Unit: bytes. Reason: four mails of maximal size. */
export const maxUploads = 4 * maxUpload

/** Waiting files of an account. Unit: files. */
export const maxFiles = 200

/** Lifetime of a file. Unit: hours. */
export const uploadHours = 24

/** Size of a chunk. Unit: bytes. Reason: few statements per file, and many uploads fit in memory. */
const chunkSize = 512 * 1024

export interface Upload {
  /** A UUID. */
  readonly id: string
  readonly name: string
  readonly content_type: string
  readonly size: number
  readonly created_at: Date
}

const columns = (sql: SqlClient.SqlClient) => sql`id, name, content_type, size, created_at`

/** Complete files of an account, newest first. */
export const list = (account: Account) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    inScope(sql<Upload>`select ${columns(sql)} from mail_watcher.upload
      where account_id = ${account.id} and complete order by created_at desc, id limit ${maxFiles}`)
  )

/** Deletes a file. False: it did not exist. */
export const remove = (account: Account, id: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      inScope(sql`delete from mail_watcher.upload where account_id = ${account.id} and id = ${id} returning 1`),
      (gone) => gone.length > 0
    )
  )

/** Files of these ids in this order. Unknown ids are left out. */
export const named = (account: Account, ids: ReadonlyArray<string>) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      ids.length === 0
        ? Effect.succeed([])
        : inScope(sql<Upload>`select ${columns(sql)} from mail_watcher.upload
        where account_id = ${account.id} and complete and id in ${sql.in(ids)}`),
      (found) => ids.flatMap((id) => found.find((upload) => upload.id === id) ?? [])
    )
  )

/** Content of a file. */
export const content = (account: Account, upload: Upload) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      inScope(sql<{ bytes: Uint8Array }>`select bytes from mail_watcher.upload_chunk
        where upload_id = (select id from mail_watcher.upload where id = ${upload.id} and account_id = ${account.id})
          order by position`),
      (chunks) => Buffer.concat(chunks.map(({ bytes }) => bytes))
    )
  )

/** Author of the events. */
const source = "mail-watcher"

/**
 * Stores a file from a stream, and emits `file.uploaded` to its owner. `declared` is the Content-Length. An aborted
 * upload leaves nothing.
 */
export const receive = <E, R>(
  account: Account,
  file: Pick<Upload, "name" | "content_type">,
  declared: number | undefined,
  body: Stream.Stream<Uint8Array, E, R>
) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const events = yield* Events
    const id = yield* begin(account, file, Math.min(declared ?? maxUpload, maxUpload))
    let pieces: Array<Uint8Array> = []
    let gathered = 0
    let size = 0
    let position = 0
    const flush = (): Effect.Effect<void, SqlError.SqlError, Caller | SqlClient.SqlClient> => {
      if (gathered === 0) return Effect.void
      const bytes = Buffer.concat(pieces)
      pieces = []
      gathered = 0
      return Effect.asVoid(
        inScope(sql`insert into mail_watcher.upload_chunk (upload_id, tenant_id, position, bytes)
        values (${id}, ${account.tenant_id}, ${position++}, ${bytes})`)
      )
    }
    return yield* Stream.runForEach(
      body,
      (piece): Effect.Effect<void, TooLarge | SqlError.SqlError, Caller | SqlClient.SqlClient> => {
        size += piece.length
        gathered += piece.length
        pieces.push(piece)
        if (size > maxUpload)
          return Effect.fail(new TooLarge({ limit: maxUpload, detail: `A file may have at most ${maxUpload} bytes.` }))
        return gathered < chunkSize ? Effect.void : flush()
      }
    ).pipe(
      Effect.andThen(Effect.suspend(flush)),
      Effect.andThen(
        Effect.suspend(() =>
          inScope(
            Effect.tap(
              sql<Upload>`update mail_watcher.upload set complete = true, size = ${size} where id = ${id}
                returning ${columns(sql)}`,
              () =>
                events.emit(
                  FileUploaded,
                  source,
                  { path: `mail/${account.address}`, name: file.name },
                  { tenantId: account.tenant_id, ...(account.user_id !== null && { userId: account.user_id }) }
                )
            )
          )
        )
      ),
      Effect.map(([row]) => row!),
      Effect.onError(() => Effect.ignore(remove(account, id)))
    )
  })

/** Inserts the file's row and reserves `room` bytes of the account's limit. */
const begin = Effect.fnUntraced(function* (
  account: Account,
  file: Pick<Upload, "name" | "content_type">,
  room: number
) {
  const sql = yield* SqlClient.SqlClient
  return yield* inScope(
    Effect.gen(function* () {
      yield* sql`select pg_advisory_xact_lock(hashtext('mail_watcher.upload'), ${account.id})`
      const [held] = yield* sql<{
        files: number
        bytes: number
      }>`select count(*)::int as files, coalesce(sum(size), 0)::float8 as bytes
      from mail_watcher.upload where account_id = ${account.id}`
      if (held!.bytes + room > maxUploads || held!.files >= maxFiles) {
        return yield* new TooLarge({
          limit: maxUploads,
          detail: `At most ${maxUploads} bytes in ${maxFiles} unsent files are allowed; delete some.`
        })
      }
      const [row] = yield* sql<{
        id: string
      }>`insert into mail_watcher.upload (tenant_id, account_id, name, content_type, size)
      values (${account.tenant_id}, ${account.id}, ${file.name}, ${file.content_type}, ${room}) returning id`
      return row!.id
    })
  )
})
