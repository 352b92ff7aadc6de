/** Models, recordings and trainings of a tenant, for the walks. Each call creates one with the mark of its caller. */
import { Effect } from "effect"
import type { TestSuite } from "#support/TestSuite.ts"
import type { Who } from "#support/walk/Case.ts"
import { addModel, bytesOf, callsOf, noise } from "../WakeWordSuite.ts"

/** Numbers and ids that nothing has. */
export const nobody = 2_000_000_000
export const noJob = "00000000-0000-4000-8000-000000000000"

export const seeds = (suite: TestSuite) => {
  let count = 0
  /** A text that names one thing: small letters, as stored words have. */
  const next = (as: Who) => `${as.mark.toLowerCase()}-${++count}`
  const model = Effect.fnUntraced(function* (as: Who) {
    const name = next(as)
    yield* addModel(suite, name, { tenant: as.tenant, level: -4 })
    const [row] = yield* suite.sql<{ id: number }>`update wake_word.model set word = ${`${as.mark} ${count}`}
      where tenant_id = ${as.tenant} and name = ${name} returning id`
    return { id: row!.id, name, tenant: as.tenant }
  })
  /** The only active model of the tenant. */
  const active = Effect.fnUntraced(function* (as: Who) {
    const made = yield* model(as)
    yield* callsOf(suite, as.tenant)("POST", `/models/${made.name}/activate`)
    return made
  })
  const sample = Effect.fnUntraced(function* (as: Who) {
    const word = next(as)
    const audio = bytesOf(noise(0.5, count))
    const [row] = yield* suite.sql<{ id: number }>`insert into wake_word.sample
        (tenant_id, word, name, speaker, duration_ms, original_rate, sha256, audio, created_by)
      values (${as.tenant}, ${word}, ${`${as.mark}.wav`}, ${as.mark}, 500, 16000, ${`${count}`}, ${audio}, ${as.mark})
      returning id`
    return { word, id: row!.id, tenant: as.tenant }
  })
  /** A training that uses a recording. The runner must not run one that waits. */
  const training = Effect.fnUntraced(function* (as: Who, state: "waiting" | "done") {
    const recording = yield* sample(as)
    const finished = state === "done" ? new Date() : null
    const [row] = yield* suite.sql<{ id: string; seq: number }>`insert into wake_word.training
        (tenant_id, word, language, name, seed, size, use_uploads, state, requested_by, problem, finished_at)
      values (${as.tenant}, ${`${as.mark} ${count}`}, 'de', ${next(as)}, 1, 'small', true, ${state}, ${as.mark},
        ${as.mark}, ${finished})
      returning id, seq`
    yield* suite.sql`insert into wake_word.training_sample (job_id, sample_id, tenant_id, held_out)
      values (${row!.id}, ${recording.id}, ${as.tenant}, false)`
    return { job: row!.id, seq: row!.seq, tenant: as.tenant }
  })
  return { next, model, active, sample, training }
}

export type Seeds = ReturnType<typeof seeds>
