/** Statements of recordings. Each runs in the surrounding transaction, which hides other tenants' rows. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { NotFound } from "#core/http/Problem.ts"
import * as Audit from "#core/log/Audit.ts"
import { SamplesFull } from "./Errors.ts"
import { maxSamples, shownOfWord } from "./UploadLimits.ts"

export interface SampleRow {
  readonly id: number
  readonly tenant_id: number
  readonly word: string
  readonly name: string
  readonly speaker: string | null
  readonly duration_ms: number
  readonly original_rate: number
  readonly created_by: string
  readonly created_at: Date
}

const fields = (sql: SqlClient.SqlClient) =>
  sql`id, tenant_id, word, name, speaker, duration_ms, original_rate, created_by, created_at`

/** The row as the API shows it. */
export const view = ({ created_at, ...row }: SampleRow) => ({ ...row, created_at: created_at.toISOString() })

/** A recording: Int16 little-endian, 16 kHz, one channel. */
export interface NewSample {
  readonly name: string
  readonly durationMs: number
  readonly originalRate: number
  readonly sha256: string
  readonly audio: Uint8Array
}

/**
 * Stores recordings of a word. Returns the rows, and the names of recordings that the tenant has already. Fails when
 * the tenant has too many.
 */
export const add = Effect.fnUntraced(function* (
  tenant: number,
  word: string,
  speaker: string | null,
  actor: string,
  files: ReadonlyArray<NewSample>
) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`select pg_advisory_xact_lock(hashtext('wake_word.sample'), ${tenant})`
  const [held] = yield* sql<{ readonly count: number }>`select count(*)::int as count from wake_word.sample
    where tenant_id = ${tenant}`
  if (held!.count + files.length > maxSamples)
    return yield* new SamplesFull({
      detail: `A tenant may have ${maxSamples} recordings; delete some.`,
      limit: maxSamples
    })
  const stored: Array<SampleRow> = []
  const known: Array<string> = []
  for (const file of files) {
    const [row] = yield* sql<SampleRow>`insert into wake_word.sample
        (tenant_id, word, name, speaker, duration_ms, original_rate, sha256, audio, created_by)
      values (${tenant}, ${word}, ${file.name}, ${speaker}, ${file.durationMs}, ${file.originalRate}, ${file.sha256},
        ${file.audio}, ${actor})
      on conflict (tenant_id, word, sha256) do nothing returning ${fields(sql)}`
    if (row === undefined) known.push(file.name)
    else stored.push(row)
  }
  if (stored.length > 0)
    yield* Audit.write({
      tenantId: tenant,
      actor,
      action: "wakeword_sample.uploaded",
      entity: "wakeword_sample",
      id: word,
      detail: { count: stored.length }
    })
  return { stored, known }
})

export interface WordRow {
  readonly word: string
  readonly count: number
  readonly speakers: number
  readonly duration_ms: number
  readonly newest_at: Date
}

/** Words after `after`, ascending, with their newest recordings. */
export const words = Effect.fnUntraced(function* (tenant: number, after: string | undefined, limit: number) {
  const sql = yield* SqlClient.SqlClient
  const found = yield* sql<WordRow>`select word, count(*)::int as count,
      count(distinct coalesce(speaker, ''))::int as speakers, sum(duration_ms)::int as duration_ms,
      max(created_at) as newest_at
    from wake_word.sample where tenant_id = ${tenant} and ${after === undefined ? sql`true` : sql`word > ${after}`}
    group by word order by word limit ${limit}`
  if (found.length === 0) return []
  const rows = yield* sql<SampleRow>`select ${fields(sql)} from (
      select *, row_number() over (partition by word order by id desc) as place from wake_word.sample
      where tenant_id = ${tenant} and ${sql.in(
        "word",
        found.map(({ word }) => word)
      )}) s
    where place <= ${shownOfWord} order by word, id desc`
  const byWord = Map.groupBy(rows, ({ word }) => word)
  return found.map((row) => ({ ...row, samples: byWord.get(row.word) ?? [] }))
})

const missing = new NotFound({ detail: "The recording does not exist." })

/** Recordings of a word with an id below `before`, newest first; 404 for a word without recordings. */
export const ofWord = Effect.fnUntraced(function* (
  tenant: number,
  word: string,
  before: number | undefined,
  limit: number
) {
  const sql = yield* SqlClient.SqlClient
  const of = sql`from wake_word.sample where tenant_id = ${tenant} and word = ${word}`
  const rows =
    yield* sql<SampleRow>`select ${fields(sql)} ${of} and ${before === undefined ? sql`true` : sql`id < ${before}`}
    order by id desc limit ${limit}`
  if (rows.length === 0 && (yield* sql`select 1 ${of} limit 1`).length === 0) return yield* missing
  return rows
})

/** Samples of a recording, or 404. */
export const audio = Effect.fnUntraced(function* (tenant: number, word: string, id: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly audio: Uint8Array }>`select audio from wake_word.sample
    where tenant_id = ${tenant} and word = ${word} and id = ${id}`
  return row === undefined ? yield* missing : row.audio
})

/** Deletes one recording, or all of a word, with what training derived from them. Returns how many. */
export const remove = Effect.fnUntraced(function* (
  tenant: number,
  word: string,
  id: number | undefined,
  actor: string
) {
  const sql = yield* SqlClient.SqlClient
  const gone = yield* sql`delete from wake_word.sample
    where tenant_id = ${tenant} and word = ${word} and ${id === undefined ? sql`true` : sql`id = ${id}`} returning 1`
  if (gone.length === 0) return yield* missing
  yield* Audit.write({
    tenantId: tenant,
    actor,
    action: "wakeword_sample.deleted",
    entity: "wakeword_sample",
    id: word,
    detail: { count: gone.length, ...(id === undefined ? {} : { sample_id: id }) }
  })
  return gone.length
})
