/**
 * Runs the trainings, one after the other, in one process of the fleet. A training whose process died continues with
 * the phase that it was in. The job engine of core is not used: its claims end after minutes.
 */
import { PgConnection } from "@effect/sql-pg"
import { Cause, Duration, Effect, Exit } from "effect"
import { randomUUID } from "node:crypto"
import { Wake } from "#core/events/Wake.ts"
import { toSqlPg } from "#core/postgres/ConnectionTarget.ts"
import { Database } from "#core/sql/Database.ts"
import { Actor, describe } from "#core/supervision/Supervisor.ts"
import { type ExtractorSource, extractorSource } from "../engine/Exports.ts"
import * as Attempts from "./Attempts.ts"
import * as Folders from "./Folders.ts"
import * as GatewayVoices from "./GatewayVoices.ts"
import { type Phase, phases } from "./Phases.ts"
import * as Recordings from "./Recordings.ts"
import { type Report, trainingTopic, type TrainingRow } from "./Store.ts"
import type { TrainingConfig } from "./TrainingSettings.ts"
import type { PhaseResult, PhaseStart } from "./work/Messages.ts"
import { type PhaseFailed, runPhase } from "./work/PhaseThread.ts"

/** Interval of recorded progress, and of looks for a cancellation. */
const recordInterval = Duration.seconds(1)

/** Interval of looks for trainings without an announcement. Reason: an announcement can be lost. */
const lookInterval = Duration.seconds(20)

/** Pause while another process holds the lock. */
const lockPause = Duration.seconds(2)

/** The advisory lock of the runner. A placed actor may run twice for a moment while processes join. */
const lock = "hashtextextended('wake word training runner', 0)"

export const runner = (config: TrainingConfig) => ({
  name: "wake word trainings",
  placed: true,
  run: Effect.gen(function* () {
    const actor = yield* Actor
    const database = yield* Database
    const wakeup = yield* (yield* Wake).subscribe(trainingTopic)
    const session = yield* PgConnection.make({
      ...toSqlPg(database.target),
      applicationName: `${database.applicationName} trainings`
    })
    while (true) {
      yield* actor.progress
      const [row] = (yield* session.query(`select pg_try_advisory_lock(${lock}) as held`)).rows
      if (row?.["held"] === true) break
      yield* actor.note("another process runs the trainings")
      yield* Effect.sleep(lockPause)
    }
    const life = randomUUID()
    const source = yield* extractorSource(config)
    while (true) {
      yield* actor.progress
      yield* actor.note("waits for a training")
      // The lock ends with its connection; then another process may have begun.
      yield* session.query("select 1")
      yield* Folders.sweep(config.dataDir)
      const attempt = yield* Attempts.begin(life)
      if (attempt === undefined) yield* wakeup.wait(lookInterval)
      else {
        yield* actor.note(`${attempt.job.word} ${attempt.job.id}`)
        yield* attend(config, source, attempt, actor.progress).pipe(
          Effect.catchTag("Superseded", (error) => Effect.logInfo(error.message)),
          Effect.annotateLogs({ job: attempt.job.id })
        )
      }
    }
  })
})

/** Runs a training from its phase to its end, and records the end. */
const attend = Effect.fnUntraced(function* (
  config: TrainingConfig,
  source: ExtractorSource,
  attempt: Attempts.Attempt,
  alive: Effect.Effect<void>
) {
  const exit = yield* Effect.exit(allPhases(config, source, attempt, alive))
  if (Exit.isSuccess(exit)) return
  const reason = exit.cause.reasons.find(Cause.isFailReason)
  // The database is away, the process stops, or the training is not ours any more: it stays as it is.
  if (Cause.hasInterrupts(exit.cause) || (reason !== undefined && reason.error._tag !== "PhaseFailed"))
    return yield* Effect.failCause(exit.cause)
  const problem = reason === undefined ? describe(exit.cause) : reason.error.message
  yield* Effect.logWarning(`the training failed: ${problem}`)
  yield* Attempts.failed(attempt, problem)
})

const allPhases = Effect.fnUntraced(function* (
  config: TrainingConfig,
  source: ExtractorSource,
  attempt: Attempts.Attempt,
  alive: Effect.Effect<void>
) {
  const { job } = attempt
  const folder = Folders.of(config.dataDir, job.id)
  let report: Report = job.report
  let phase: Phase = job.phase ?? phases[0]
  while (true) {
    const start = yield* startOf(config, job, phase, folder, source, report)
    const outcome = yield* Effect.result(recorded(attempt, phase, start, alive))
    if (outcome._tag === "Failure") {
      const error = outcome.failure
      // On this machine the results of earlier phases may not exist: the training began on another one.
      const missing = error._tag === "PhaseFailed" ? error.missing : undefined
      if (missing === undefined || phases.indexOf(missing) >= phases.indexOf(phase)) return yield* error
      yield* Effect.logInfo(`the training goes back to ${missing}, whose result is not on this machine`)
      yield* Attempts.goneBack(attempt, missing)
      phase = missing
      continue
    }
    const { model, report: found, rows } = outcome.success
    report = { ...report, ...found }
    if (rows !== undefined) yield* Recordings.store(job.id, rows)
    if (model !== undefined) {
      const { language, name, seed, tenant_id, word } = job
      const { curve = [], metrics } = report
      if (metrics === undefined) return yield* Effect.die(new Error("the training has no measurements"))
      yield* Attempts.saved(attempt, {
        ...model,
        tenantId: tenant_id,
        jobId: job.id,
        name,
        word,
        language,
        seed,
        metrics,
        curve
      })
      return
    }
    yield* Attempts.advanced(attempt, phase, found ?? {})
    phase = phases[phases.indexOf(phase) + 1]!
  }
})

/** What the thread of the phase needs. */
const startOf = Effect.fnUntraced(function* (
  config: TrainingConfig,
  job: TrainingRow,
  phase: Phase,
  folder: string,
  source: ExtractorSource,
  report: Report
) {
  if (phase === "samples_upload") yield* Recordings.choose(job)
  const needsRows = phase === "train" || phase === "validate"
  const { language, seed, size, word } = job
  return {
    phase,
    word,
    language,
    seed,
    size,
    folder,
    source,
    niceness: config.niceness,
    report,
    recordings: phase === "features" ? yield* Recordings.audioOf(job.id) : [],
    recordingRows: needsRows ? yield* Recordings.rowsOf(job.id) : [],
    gatewayWavs: phase === "samples_tts" ? yield* GatewayVoices.utterances(config, word) : []
  } satisfies PhaseStart as PhaseStart
})

/** Runs a phase while its progress is recorded. A cancelled training ends the phase within `recordInterval`. */
const recorded = (attempt: Attempts.Attempt, phase: Phase, start: PhaseStart, alive: Effect.Effect<void>) =>
  Effect.suspend(() => {
    let share = 0
    const record = Effect.gen(function* () {
      let told = 0
      while (true) {
        yield* alive
        if (share > told) yield* Attempts.progressed(attempt, phase, share)
        else yield* Attempts.stillOurs(attempt)
        told = share
        yield* Effect.sleep(recordInterval)
      }
    })
    const work: Effect.Effect<PhaseResult, PhaseFailed> =
      phase === "samples_upload" ? Effect.succeed({}) : runPhase(start, (now) => (share = now))
    return Effect.raceFirst(work, record)
  })
