/**
 * Job worker of rebuilds. A batch is marked as asked in a transaction of its own before its request, so a process that
 * continues the rebuild after a crash asks for no text twice.
 */
import { Clock, Duration, Effect, Result } from "effect"
import { Jobs } from "#core/jobs/Jobs.ts"
import { transaction } from "#core/sql/Sql.ts"
import * as Claims from "./Claims.ts"
import { type Engine, TranslationEngine } from "./Engine.ts"
import { RebuildWanted } from "./RebuildJob.ts"
import { notConfigured, problemOf } from "./RebuildProblem.ts"
import * as Store from "./Store.ts"

/**
 * Maximum number of simultaneous requests to the engine. Reason: a server translates one or two texts at a time and
 * queues the rest.
 */
const concurrency = 2

/** Pause after an answer 429 that names no time. Doubled after each further 429. Unit: milliseconds. */
const firstPause = 2_000

/** Longest pause after a 429. Unit: milliseconds. */
const longestPause = 60_000

/**
 * Maximum number of repetitions of a batch after 429. Reason: about five minutes; then the job waits and starts again.
 */
const maxSlowDowns = 8

/** Maximum time to put texts back into the queue on a stop. Unit: seconds. Reason: the whole stop has 20 s. */
const giveBackTime = Duration.seconds(2)

/** Interval of the events about the progress. Unit: milliseconds. */
const tellEvery = 1_000

export const rebuildWorker = Jobs.worker({ type: RebuildWanted, handle: ({ data }) => run(data.rebuild_id) })

const run = Effect.fnUntraced(function* (id: string) {
  const { engine } = yield* TranslationEngine
  const rebuild = yield* transaction(Store.begin(id))
  if (rebuild === undefined) return
  if (engine === undefined) return yield* transaction(Store.finish(id, notConfigured))
  yield* transaction(Store.tell(rebuild))
  yield* allLocales(id, engine).pipe(
    // A refused key fails the rebuild. All else is tried again by the job, and the rebuild shows the reason.
    Effect.catchTag("LibreTranslateError", (error) =>
      error.retryable
        ? Effect.andThen(transaction(Store.note(id, problemOf(error))), Effect.fail(error))
        : transaction(Store.finish(id, problemOf(error)))
    )
  )
  yield* transaction(Store.finish(id, null))
})

const allLocales = Effect.fnUntraced(function* (id: string, engine: Engine) {
  const told = { at: 0 }
  for (;;) {
    const round = { stopped: false }
    const locale = yield* transaction(Claims.nextLocale(id))
    if (locale === undefined) return
    const code = yield* engine.codeOf(locale)
    const worker = code === undefined ? withoutEngine(id, locale) : batches({ id, locale, code, engine, told, round })
    // A failure does not interrupt the requests that are under way, because their answers would be lost.
    const ends = yield* Effect.all(
      Array.from({ length: code === undefined ? 1 : concurrency }, () => Effect.result(worker)),
      { concurrency }
    )
    const counts = yield* Effect.all(ends.map((end) => Effect.fromResult(end)))
    // No text was taken: another process translates the last ones, or the rebuild was cancelled.
    if (counts.every((count) => count === 0)) return
  }
})

/**
 * For a language that the engine does not support: records for all its texts that they stay English. Returns the number
 * of batches.
 */
const withoutEngine = Effect.fnUntraced(function* (id: string, locale: string) {
  const limits = { maxBatch: Infinity, maxCharacters: Infinity }
  for (let count = 0; ; count++) {
    const more = yield* transaction(
      Effect.gen(function* () {
        const batch = yield* Claims.take(id, locale, limits)
        if (batch === undefined) return false
        const reason = Result.fail("the engine does not translate into this language")
        const outcomes = batch.taken.map(({ sourceHash }) => ({ locale, sourceHash, result: reason }))
        yield* Claims.record(id, [...batch.outcomes, ...outcomes])
        return true
      })
    )
    if (!more) return count
  }
})

interface Work {
  readonly id: string
  readonly locale: string
  /** Code of the language at the engine. */
  readonly code: string
  readonly engine: Engine
  /** Time of the last progress event. Unit: milliseconds since 1970. */
  readonly told: { at: number }
  /** Set by the first failure of a round, so that the others take no more batches. */
  readonly round: { stopped: boolean }
}

/** Texts of a batch that the engine may have translated without a recorded answer: an interruption keeps them asked. */
type Sent = Set<Claims.TakenText>

/** Translates batches until none waits. Returns their number. */
const batches = Effect.fnUntraced(function* (work: Work) {
  const { engine, id, locale } = work
  for (let count = 0; ; count++) {
    if (work.round.stopped) return count
    const take = transaction(
      Effect.gen(function* () {
        const taken = yield* Claims.take(id, locale, engine)
        if (taken !== undefined && taken.outcomes.length > 0) yield* Claims.record(id, taken.outcomes)
        return taken
      })
    )
    // A stop right after the commit must not leave texts marked as asked although no request has them.
    const isLast = yield* Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const batch = yield* take
        if (batch === undefined) return true
        const { taken } = batch
        const sent: Sent = new Set()
        const unsent = Effect.suspend(() =>
          transaction(
            Claims.giveBack(
              id,
              taken.filter((text) => !sent.has(text))
            )
          )
        )
        if (taken.length > 0)
          yield* restore(translated(work, taken, sent)).pipe(
            Effect.onInterrupt(() => Effect.ignore(Effect.timeout(unsent, giveBackTime)))
          )
        return false
      })
    )
    if (isLast) return count
  }
})

/**
 * Translates a batch. When the engine refuses it, each text is asked for alone, and only the refused ones stay English.
 */
const translated = Effect.fnUntraced(function* (work: Work, texts: ReadonlyArray<Claims.TakenText>, sent: Sent) {
  if ((yield* attempted(work, texts, sent)) === undefined) return
  for (const text of texts) {
    const refusal = yield* attempted(work, [text], sent)
    const { locale, sourceHash } = text
    if (refusal !== undefined) yield* recorded(work, [{ locale, sourceHash, result: Result.fail(refusal) }])
  }
})

/** Asks for the texts and records the answer. Returns the message of the engine when it refuses them. */
const attempted = Effect.fnUntraced(function* (work: Work, texts: ReadonlyArray<Claims.TakenText>, sent: Sent) {
  const answer = yield* Effect.result(asked(work, texts, sent))
  if (Result.isSuccess(answer)) {
    yield* recorded(work, joined(texts, answer.success))
    return undefined
  }
  const { reason } = answer.failure
  if (reason._tag === "Refused" || reason._tag === "Failed") return reason.message
  work.round.stopped = true
  yield* transaction(
    reason._tag === "NoAnswer"
      ? Effect.asVoid(Claims.uncertain(work.id, texts, answer.failure.message))
      : Effect.asVoid(Claims.giveBack(work.id, texts))
  )
  return yield* answer.failure
})

const joined = (
  texts: ReadonlyArray<Claims.TakenText>,
  answer: ReadonlyArray<string>
): ReadonlyArray<Claims.Outcome> => {
  let at = 0
  return texts.map(({ fragments, locale, sourceHash }) => {
    const own = answer.slice(at, (at += fragments.html.length))
    return { locale, sourceHash, result: fragments.join(own) }
  })
}

/** One request, repeated while the engine asks to slow down. It has then translated nothing. */
const asked = Effect.fnUntraced(function* ({ code, engine }: Work, texts: ReadonlyArray<Claims.TakenText>, sent: Sent) {
  const fragments = texts.flatMap((text) => text.fragments.html)
  for (let attempt = 0; ; attempt++) {
    for (const text of texts) sent.add(text)
    const answer = yield* Effect.result(engine.translate(fragments, code))
    if (Result.isSuccess(answer)) return answer.success
    const { reason } = answer.failure
    if (reason._tag !== "NoAnswer") for (const text of texts) sent.delete(text)
    if (reason._tag !== "SlowDown" || attempt === maxSlowDowns) return yield* answer.failure
    yield* Effect.sleep(Duration.millis(Math.min(reason.retryAfter ?? firstPause * 2 ** attempt, longestPause)))
  }
})

const recorded = Effect.fnUntraced(function* ({ id, told }: Work, outcomes: ReadonlyArray<Claims.Outcome>) {
  const now = yield* Clock.currentTimeMillis
  const due = now - told.at >= tellEvery
  if (due) told.at = now
  yield* transaction(
    Effect.flatMap(Claims.record(id, outcomes), (row) => (due && row !== undefined ? Store.tell(row) : Effect.void))
  )
})
