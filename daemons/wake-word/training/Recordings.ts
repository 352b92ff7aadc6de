/**
 * Recordings that a training uses, and what it derives from them. They are personal data: everything derived is stored
 * in rows that refer to the recording, so that its deletion removes them at once, and nothing is written to files.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { transaction } from "#core/sql/Sql.ts"
import { makeRandom, seedOf } from "#protocols/wake-word/Random.ts"
import type { TrainingRow } from "./Store.ts"

/**
 * Maximum number of recordings that a training uses: the newest. Reason: all are in memory at once, with 96 KB each.
 */
export const mostRecordings = 300

/** Share of speakers that only the validation hears. Source: wire sheet of the wake word. */
const heldOutShare = 0.2

export interface Choice {
  readonly id: number
  readonly speaker: string | null
}

/** Recordings of held-out speakers. With one speaker nobody is held out. Pure; deterministic by seed. */
export const heldOutOf = (recordings: ReadonlyArray<Choice>, seed: number): ReadonlySet<number> => {
  const speakers = [...new Set(recordings.map(({ speaker }) => speaker ?? ""))].sort()
  if (speakers.length < 2) return new Set()
  const count = Math.max(1, Math.round(speakers.length * heldOutShare))
  const chosen = new Set(makeRandom(seedOf(seed, "speakers")).shuffled(speakers).slice(0, count))
  return new Set(recordings.filter(({ speaker }) => chosen.has(speaker ?? "")).map(({ id }) => id))
}

/** Chooses the recordings of the training's word. Returns how many there are. */
export const choose = ({ id, seed, tenant_id, use_uploads, word }: TrainingRow) =>
  transaction(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`delete from wake_word.training_sample where job_id = ${id}`
      if (!use_uploads) return 0
      const found = yield* sql<Choice>`select id, speaker from wake_word.sample
        where tenant_id = ${tenant_id} and word = ${word} order by id desc limit ${mostRecordings}`
      const heldOut = heldOutOf(found, seed)
      for (const { id: sample } of found)
        yield* sql`insert into wake_word.training_sample (job_id, sample_id, tenant_id, held_out)
          values (${id}, ${sample}, ${tenant_id}, ${heldOut.has(sample)})`
      return found.length
    })
  )

/** A recording of the training: Int16 little-endian, 16 kHz. */
export interface Recording {
  readonly id: number
  readonly held_out: boolean
  readonly audio: Uint8Array
}

export const audioOf = (job: string) =>
  transaction(
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql<Recording>`select s.id, t.held_out, s.audio from wake_word.training_sample t
        join wake_word.sample s on s.id = t.sample_id where t.job_id = ${job} order by s.id`
    )
  )

/** Embeddings of a recording: float32 little-endian, rows of 96 values. */
export interface RecordingRows {
  readonly id: number
  readonly held_out: boolean
  readonly features: Uint8Array
}

/** Stores embeddings. Recordings that were deleted since are left out. */
export const store = (job: string, rows: ReadonlyArray<Pick<RecordingRows, "id" | "features">>) =>
  transaction(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      for (const { features, id } of rows)
        yield* sql`update wake_word.training_sample set features = ${features}
          where job_id = ${job} and sample_id = ${id}`
    })
  )

export const rowsOf = (job: string) =>
  transaction(
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql<RecordingRows>`select sample_id as id, held_out, features from wake_word.training_sample
        where job_id = ${job} and features is not null order by sample_id`
    )
  )
