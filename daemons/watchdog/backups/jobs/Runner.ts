/**
 * Runs the jobs, one after the other, in one process of the fleet. Jobs of a process that died are begun again. The job
 * engine of core is not used: its claims end after minutes, and a backup takes hours.
 */
import { PgConnection } from "@effect/sql-pg"
import { Cause, Duration, Effect, Exit } from "effect"
import { randomUUID } from "node:crypto"
import { toSqlPg } from "#core/postgres/ConnectionTarget.ts"
import { Wake } from "#core/events/Wake.ts"
import { Database } from "#core/sql/Database.ts"
import { isAway } from "#core/sql/Sql.ts"
import { Actor, describe } from "#core/supervision/Supervisor.ts"
import * as Restic from "../engine/Restic.ts"
import type { BackupSettings } from "../Settings.ts"
import { runBackup } from "./BackupRun.ts"
import { runDrill } from "./DrillRun.ts"
import * as JobProgress from "./JobProgress.ts"
import { type JobRow, jobTopic } from "./JobStore.ts"

/** Interval of recorded progress. Reason: people look at a bar; each record is an event. */
const recordInterval = Duration.seconds(2)

/** Interval of looks for jobs without an announcement. Reason: an announcement can be lost. */
const lookInterval = Duration.seconds(20)

/** Pause while another process holds the lock. */
const lockPause = Duration.seconds(2)

/** The advisory lock of the runner. A placed actor may run twice for a moment while processes join. */
const lock = "hashtextextended('watchdog backup runner', 0)"

export const runner = (config: BackupSettings) => ({
  name: "backup runner",
  placed: true,
  run: Effect.gen(function* () {
    const actor = yield* Actor
    const database = yield* Database
    const wakeup = yield* (yield* Wake).subscribe(jobTopic)
    const session = yield* PgConnection.make({
      ...toSqlPg(database.target),
      applicationName: `${database.applicationName} backups`
    })
    while (true) {
      yield* actor.progress
      const [row] = (yield* session.query(`select pg_try_advisory_lock(${lock}) as held`)).rows
      if (row?.["held"] === true) break
      yield* actor.note("another process runs the backups")
      yield* Effect.sleep(lockPause)
    }
    const life = randomUUID()
    yield* JobProgress.recover(life)
    while (true) {
      yield* actor.progress
      yield* actor.note("waits for a job")
      // The lock ends with its connection; then another process may have begun.
      yield* session.query("select 1")
      const attempt = yield* JobProgress.begin(life)
      if (attempt === undefined) yield* wakeup.wait(lookInterval)
      else {
        yield* actor.note(`${attempt.job.work} ${attempt.job.id}`)
        yield* Effect.catchTag(attend(config, attempt, actor.progress), "Superseded", (error) =>
          Effect.logWarning(error.message)
        )
      }
    }
  })
})

/** Runs a job and records its end. */
const attend = (config: BackupSettings, attempt: JobProgress.Attempt, progress: Effect.Effect<void>) =>
  Effect.gen(function* () {
    let now: { step: string; done: number | null; total: number | null } | undefined
    const at = (step: string, bytes?: Restic.Progress) => {
      now = { step, done: bytes?.done ?? null, total: bytes?.total ?? null }
    }
    const record = Effect.gen(function* () {
      let told = ""
      while (true) {
        yield* progress
        const seen = JSON.stringify(now)
        if (now !== undefined && seen !== told) yield* JobProgress.progressed(attempt, now.step, now.done, now.total)
        told = seen
        yield* Effect.sleep(recordInterval)
      }
    })
    const exit = yield* Effect.exit(Effect.raceFirst(work(config, attempt.job, at), record))
    if (Exit.isFailure(exit) && (Cause.hasInterrupts(exit.cause) || isAway(Cause.squash(exit.cause))))
      // Without an end, the job begins again with the next life of this actor, once Postgres is back.
      return yield* Effect.failCause(exit.cause)
    const outcome = Exit.isSuccess(exit) ? exit.value : failedOutcome(describe(exit.cause))
    if (outcome.problem !== null) yield* Effect.logWarning(`${attempt.job.work} failed: ${outcome.problem}`)
    yield* JobProgress.ended(attempt, outcome)
  }).pipe(Effect.annotateLogs({ job: attempt.job.id }))

const work = (config: BackupSettings, job: JobRow, at: (step: string, bytes?: Restic.Progress) => void) => {
  const context = { config, restic: Restic.make(config), at }
  return job.work === "drill" ? runDrill(context) : runBackup(context, job)
}

const failedOutcome = (problem: string): JobProgress.Outcome => ({
  snapshot: null,
  size: null,
  added: null,
  files: null,
  leftOut: [],
  report: null,
  problem
})
