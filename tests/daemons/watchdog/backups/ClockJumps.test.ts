/**
 * Schedules while the wall clock jumps: two watchdogs as processes over one database, with a clock that the test sets.
 * Each time of a schedule is carried out once, by one of them. ScheduleTimes.test.ts has the breadth.
 */
import { it } from "@effect/vitest"
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer } from "effect"
import { expect } from "vitest"
import { toSqlPg } from "#core/postgres/ConnectionTarget.ts"
import { watchdog } from "#daemons/watchdog/Daemon.ts"
import { startFleet } from "#support/Fleet.ts"
import { until } from "#support/Frame.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import * as FakeClock from "#support/peers/FakeClock.ts"
import { freePort } from "#support/peers/Loopback.ts"
import { migratedDatabase, temporaryDirectory } from "#support/Postgres.ts"
import { fastTick, folders, unwatched } from "./BackupSuite.ts"

/** Largest distance of a look from the clock. Unit: milliseconds. Far below the smallest jump, of an hour. */
const near = 10 * 60_000

/** The clock shows these times one after the other. `fires`: whether a time of the schedule is carried out. */
const journey: ReadonlyArray<{ readonly shows: string; readonly fires?: string; readonly why: string }> = [
  { shows: "2026-10-24T12:00:00Z", why: "the night was carried out" },
  { shows: "2026-10-25T00:30:01Z", fires: "2026-10-25T00:30:00.000Z", why: "02:30 in summer time" },
  { shows: "2026-10-24T23:30:01Z", why: "an hour back" },
  { shows: "2026-10-25T00:30:01Z", why: "02:30 again, because the clock is right again" },
  { shows: "2026-10-25T01:30:01Z", why: "02:30 again, now in winter time" },
  { shows: "2026-10-26T00:30:01Z", why: "01:30 of the next night" },
  { shows: "2026-10-26T01:30:01Z", fires: "2026-10-26T01:30:00.000Z", why: "an hour forward, to 02:30" },
  { shows: "2026-10-26T00:35:00Z", why: "back again" },
  { shows: "2027-03-27T12:00:00Z", fires: "2027-03-27T01:30:00.000Z", why: "of many missed times the latest" },
  { shows: "2027-03-28T00:59:00Z", why: "01:59, before the clock skips 02:30" },
  { shows: "2027-03-28T01:30:01Z", fires: "2027-03-28T01:30:00.000Z", why: "03:30 in summer time, for 02:30" },
  { shows: "2027-03-28T00:29:00Z", why: "an hour back, over the change" },
  { shows: "2027-03-28T01:31:00Z", why: "forward again" },
  { shows: "2027-03-29T00:30:01Z", fires: "2027-03-29T00:30:00.000Z", why: "02:30 in summer time" }
]

interface Job {
  readonly firing: Date
  readonly requested_by: string
  readonly finished_at: Date | null
}

interface Seen {
  readonly name: string
  readonly stalled: boolean
  readonly last_progress?: string
}

/** All actors in an answer of `/health`. */
const actorsIn = (health: unknown): ReadonlyArray<Seen> => {
  if (typeof health !== "object" || health === null) return []
  const inner = Object.values(health).flatMap(actorsIn)
  return "stalled" in health ? [health as Seen, ...inner] : inner
}

describePeers(["restic", "faketime"], "the times of a schedule", () => {
  it.live(
    "are carried out once by one of two watchdogs, while the clock jumps and summer time comes and goes",
    () =>
      Effect.gen(function* () {
        const place = yield* folders
        const database = yield* migratedDatabase([watchdog.migrations])
        const sql = Context.get(
          yield* Layer.build(
            PgClient.layer({ ...toSqlPg(database.target), applicationName: "test", maxConnections: 1 })
          ),
          PgClient.PgClient
        )
        yield* sql`update watchdog.backup_schedule
          set cron = '30 2 * * *', type = 'databases', last_firing = '2026-10-24T00:30:00Z'`
        const clock = yield* FakeClock.make
        clock.set(Date.parse(journey[0]!.shows))
        const fleet = yield* startFleet({
          units: yield* Effect.forEach(["a", "b"], (name) =>
            Effect.map(freePort, (port) => ({
              name,
              daemons: ["watchdog"],
              env: { SIGNALBOX_WATCHDOG_PORT: String(port) }
            }))
          ),
          dataDir: yield* temporaryDirectory("clocks"),
          env: {
            ...place.env,
            ...fastTick,
            ...clock.env,
            DATABASE_URL: database.url,
            SIGNALBOX_BACKUP_TIME_ZONE: "Europe/Berlin",
            SIGNALBOX_BACKUP_DRILL_CRON: "off",
            ...unwatched
          }
        })
        yield* until(
          "both are ready",
          Effect.sync(() => fleet.units.every((unit) => unit.isReady())),
          120
        )
        /** Actors of each unit. */
        const actors = Effect.promise(() =>
          Promise.all(
            fleet.units.map(async ({ addresses }) =>
              actorsIn(await fetch(`${addresses()["watchdog"]}/health`).then((answer) => answer.json()))
            )
          )
        )
        /** Number of processes that looked at the schedules by the clock that is set now. */
        const lookers = Effect.map(
          actors,
          (units) =>
            units.filter((found) => {
              const progress = found.find(({ name }) => name === "backup schedules")?.last_progress
              return progress !== undefined && Math.abs(Date.parse(progress) - clock.now()) < near
            }).length
        )
        const jobs = sql<Job>`select firing, requested_by, finished_at from watchdog.backup_job order by seq`
        const expected: Array<string> = []
        // On a busy machine a heartbeat can lapse, and the schedules move to the other process.
        let moves = 0
        for (const { fires, shows, why } of journey) {
          clock.set(Date.parse(shows))
          // A jump is no lack of progress: systemd would restart the daemon.
          const stalled = (yield* actors).flat().filter((actor) => actor.stalled)
          expect(stalled, `${shows}: ${why}`).toEqual([])
          yield* until(
            `one looks at ${shows}`,
            Effect.map(lookers, (count) => count > 0),
            60
          )
          if ((yield* lookers) > 1) moves++
          if (fires !== undefined) expected.push(fires)
          // There is no repository, so the jobs fail at once. The next time needs the end of the job before.
          yield* until(
            `${why}: what is due ends`,
            Effect.map(
              jobs,
              (found) => found.length >= expected.length && found.every(({ finished_at }) => finished_at !== null)
            ),
            60
          )
          const fired = (yield* jobs).map(({ firing }) => firing.toISOString())
          expect(fired, `${shows}: ${why}`).toEqual(expected)
        }
        expect(moves, "steps at which both processes looked").toBeLessThan(journey.length / 2)
        expect((yield* jobs).every(({ requested_by }) => requested_by === "schedule")).toBe(true)
      }).pipe(Effect.scoped),
    300_000
  )
})
