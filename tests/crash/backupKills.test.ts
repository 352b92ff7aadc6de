/**
 * kill -9 of watchdog, restic and Postgres in the middle of a backup, and of a restic that holds the exclusive lock.
 * Afterwards the next run is clean, no lock and no half-made folder is left, and the repository is sound. Real
 * executable, embedded and outside Postgres, local repository. SIGNALBOX_TEST_LONG=1: all victims with both kinds of
 * Postgres, and kills at random moments of backups and drills; SIGNALBOX_TEST_SEED repeats them.
 */
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { existsSync, readdirSync, realpathSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect } from "vitest"
import { Environment, settings } from "#core/config/Environment.ts"
import { socketTarget, withClient } from "#core/postgres/Bootstrap.ts"
import { layoutOf } from "#core/postgres/ServerLayout.ts"
import * as Restic from "#daemons/watchdog/backups/engine/Restic.ts"
import { mostAttempts } from "#daemons/watchdog/backups/jobs/JobProgress.ts"
import { backupSettings } from "#daemons/watchdog/backups/Settings.ts"
import { startFleet } from "#support/Fleet.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import { freePort } from "#support/peers/Loopback.ts"
import { databaseDirectory, preparedDirectory } from "#support/PreparedCluster.ts"
import { eventually, processesIn, signal } from "#support/Processes.ts"
import * as Random from "#support/Random.ts"
import { makeRepository } from "#support/ResticRepository.ts"
import * as RestartablePostgres from "#support/RestartablePostgres.ts"
import { folders, password, unwatched } from "../daemons/watchdog/backups/BackupSuite.ts"
import { allReady } from "./Kills.ts"

const long = process.env["SIGNALBOX_TEST_LONG"] === "1"

const victims = ["watchdog", "restic", "postgres"] as const
type Victim = (typeof victims)[number]

const layouts = ["embedded", "outside"] as const
type Layout = (typeof layouts)[number]

/** Random kills of the long run. */
const randomKills = 24

/** Data that is new to each backup. Unit: bytes. Reason: three of restic's packs, of 16 MiB each. */
const fresh = 40 * 1024 ** 2

/** Pauses between two looks at the repository, and at the job. Unit: milliseconds. The second look is a connection. */
const repositoryPause = 5
const jobPause = 200

/**
 * Time after an outage of Postgres in which the cluster may notice it late, and begin the next job again. Unit:
 * milliseconds.
 */
const aftermath = 8_000

interface Job {
  readonly id: string
  readonly state: string
  readonly attempts: number
  readonly problem: string | null
  readonly finished_at: Date | null
}

/** A watchdog with a repository, and with an embedded or an outside Postgres, as processes. */
const begin = Effect.fnUntraced(function* (layout: Layout) {
  const place = yield* folders
  const outside = layout === "outside" ? yield* RestartablePostgres.make(100, { major: 15 }) : undefined
  const dataDir = realpathSync(
    yield* outside === undefined ? preparedDirectory("signalbox-kills") : databaseDirectory("signalbox-kills")
  )
  const env = { ...place.env, SIGNALBOX_DATA_DIR: dataDir, SIGNALBOX_BACKUP_DRILL_CRON: "off", ...unwatched }
  const config = yield* Effect.provideService(settings(backupSettings), Environment, env)
  const restic = Restic.make(config)
  makeRepository(place.repository, password)
  const fleet = yield* startFleet({
    units: [{ name: "watchdog", daemons: ["watchdog"] }],
    dataDir,
    env: {
      ...env,
      SIGNALBOX_FSYNC: "false",
      SIGNALBOX_WATCHDOG_PORT: String(yield* freePort),
      ...(outside === undefined ? {} : { DATABASE_URL: outside.url })
    },
    restartDelay: () => 100
  })
  const ready = allReady(fleet, outside === undefined)
  yield* ready
  const target = outside?.target ?? socketTarget(layoutOf(dataDir).socketDir, "signalbox", "signalbox")
  const query = <A extends object>(text: string) => withClient(target, (sql) => sql.unsafe<A>(text))
  /** Adds a job as a request does. Returns its id. */
  const add = (work: "backup" | "drill" = "backup") =>
    Effect.map(
      query<{ id: string }>(`with job as (
          insert into watchdog.backup_job (work, type, schedule_id, schedule, requested_by)
            values ('${work}', 'full', ${work === "backup" ? "1, 'nightly'" : "null, null"}, 'test') returning id)
        select id, pg_notify('signalbox', 'backup jobs') from job`),
      ([row]) => row!.id
    )
  const jobOf = (id: string) =>
    Effect.map(query<Job>(`select * from watchdog.backup_job where id = '${id}'`), ([job]) => job!)
  /** Waits for the end of a job, also while Postgres is away. */
  const ended = Effect.fnUntraced(function* (id: string) {
    const deadline = Date.now() + 120_000
    for (;;) {
      const job = yield* Effect.orElseSucceed(jobOf(id), () => undefined)
      if (job !== undefined && job.finished_at !== null) return job
      if (Date.now() > deadline)
        return yield* Effect.die(new Error(`the job did not end: ${JSON.stringify(job)}\n${fleet.tail()}`))
      yield* Effect.sleep(jobPause)
    }
  })
  const stage = join(dataDir, "backup", "stage")
  // restic writes a lock into a temporary file first, which nobody removes after a kill.
  const locks = () => readdirSync(join(place.repository, "locks")).filter((name) => /^[0-9a-f]{64}$/.test(name)).length
  const packs = () => readdirSync(join(place.repository, "data"), { recursive: true, withFileTypes: true }).length
  /** Kills the victim at once. False: it did not run. */
  const strike = Effect.fnUntraced(function* (victim: Victim) {
    if (victim === "watchdog") return fleet.unit("watchdog").kill()
    if (victim === "postgres" && outside !== undefined) {
      yield* outside.killAndStart
      return true
    }
    const pid = victim === "restic" ? processesIn(stage)[0] : fleet.postmaster()
    if (pid === undefined) return false
    signal(pid, "SIGKILL")
    return true
  })
  return { place, fleet, ready, restic, env, add, jobOf, ended, strike, stage, locks, packs }
})

type Begun = Effect.Success<ReturnType<typeof begin>>

/** Runs a backup of new data and kills the victim while restic writes. Returns the ended job. */
const killed = (begun: Begun, victim: Victim) =>
  Effect.gen(function* () {
    const { add, ended, fleet, jobOf, locks, packs, place, strike } = begun
    for (let round = 1; ; round++) {
      writeFileSync(join(place.customers, "new.bin"), randomBytes(fresh))
      const before = packs()
      const id = yield* add()
      const deadline = Date.now() + 60_000
      let nextLook = Date.now() + jobPause
      for (;;) {
        if (locks() > 0 && packs() > before && (yield* strike(victim))) {
          const job = yield* ended(id)
          if (victim !== "postgres" || job.attempts > 1) return job
          // Postgres was back before the job needed it, so the kill disturbed nothing: the next round kills again.
          break
        }
        if (Date.now() > nextLook) {
          // On a busy machine the backup may be over before this test looks. Then it is made again.
          if (Date.now() > deadline || (yield* jobOf(id)).finished_at !== null) break
          nextLook = Date.now() + jobPause
        }
        yield* Effect.sleep(repositoryPause)
      }
      if (round === 5) return yield* Effect.die(new Error(`${victim} was not hit\n${fleet.tail()}`))
    }
  })

/** The next backup succeeds, nothing of killed ones is left, and the repository is sound. */
const isClean = (begun: Begun) =>
  Effect.gen(function* () {
    const { add, ended, locks, restic, stage } = begun
    expect(yield* Effect.flatMap(add(), ended)).toMatchObject({ state: "done", problem: null, attempts: 1 })
    expect(locks()).toBe(0)
    expect(existsSync(stage)).toBe(false)
    yield* restic.check(100)
  })

/** kill -9 of a restic that holds the exclusive lock, such as the check of a drill. */
const killExclusive = ({ env, locks }: Begun) =>
  Effect.gen(function* () {
    // On a busy machine the check may be over before this test looks. Then it is made again.
    for (let round = 1; round === 1 || (round <= 5 && locks() === 0); round++) {
      const child = spawn("restic", ["check", "--read-data", "--no-cache"], {
        env: {
          PATH: process.env["PATH"],
          RESTIC_REPOSITORY: env.SIGNALBOX_BACKUP_REPOSITORY,
          RESTIC_PASSWORD: env.SIGNALBOX_BACKUP_PASSWORD
        },
        stdio: "ignore"
      })
      const isDead = () => child.signalCode !== null || child.exitCode !== null
      yield* eventually("restic holds its lock", () => locks() > 0 || isDead(), 60)
      child.kill("SIGKILL")
      yield* eventually("restic is dead", isDead, 60)
    }
    expect(locks()).toBe(1)
  })

describePeers(["restic", "postgres15"], "a backup under kill -9", () => {
  for (const layout of layouts) {
    it.live(
      `of each victim: the next run is clean and the repository sound: ${layout} Postgres`,
      () =>
        Effect.gen(function* () {
          const begun = yield* begin(layout)
          // Another life of the process begins the job again.
          expect(yield* killed(begun, "watchdog")).toMatchObject({ state: "done", problem: null, attempts: 2 })
          // The job of a restic that was killed fails, and says so. Postgres has no part in it.
          if (long || layout === "outside")
            expect(yield* killed(begun, "restic")).toMatchObject({ state: "failed", attempts: 1 })
          const afterPostgres = yield* killed(begun, "postgres")
          expect(afterPostgres).toMatchObject({ state: "done", problem: null })
          expect(afterPostgres.attempts).toBeGreaterThan(1)
          yield* Effect.sleep(aftermath)
          if (long || layout === "outside") yield* killExclusive(begun)
          yield* isClean(begun)
        }).pipe(Effect.scoped),
      300_000
    )

    if (long)
      it.live(
        `at random moments of backups and drills: ${layout} Postgres`,
        () =>
          Effect.gen(function* () {
            const random = Random.make()
            process.stdout.write(`backups under kill -9: ${Random.seedVariable}=${random.seed}\n`)
            const begun = yield* begin(layout)
            const { add, ended, place, ready, strike } = begun
            const plan = Array.from({ length: randomKills / victims.length }, () => random.shuffled(victims)).flat()
            expect(yield* Effect.flatMap(add(), ended)).toMatchObject({ state: "done" })
            for (const [nth, victim] of plan.entries()) {
              writeFileSync(join(place.customers, "new.bin"), randomBytes(fresh))
              const id = yield* add(nth % 3 === 2 ? "drill" : "backup")
              yield* Effect.sleep(random.between(0, 4_000))
              yield* strike(victim)
              const { attempts, state } = yield* ended(id)
              expect(attempts).toBeLessThanOrEqual(mostAttempts)
              if (victim !== "restic") expect(state).toBe("done")
              yield* ready
            }
            yield* isClean(begun)
            expect(yield* Effect.flatMap(add("drill"), ended)).toMatchObject({ state: "done", problem: null })
          }).pipe(Effect.scoped),
        1_800_000
      )
  }
})
