/** Processes that die, and their work that continues elsewhere; with real processes and signals. */
import { expect, it } from "@effect/vitest"
import { PgClient, PgConnection } from "@effect/sql-pg"
import { Effect, Schedule } from "effect"
import * as Database from "#core/sql/Database.ts"
import * as Incarnation from "#core/cluster/Incarnation.ts"
import * as Jobs from "#core/jobs/Jobs.ts"
import { toSqlPg, toUrl } from "#core/postgres/ConnectionTarget.ts"
import * as PostgresKeeper from "#core/postgres/PostgresKeeper.ts"
import * as Sql from "#core/sql/Sql.ts"
import { client, heldClaims, holdsAfter, inFrame, until } from "#support/Frame.ts"
import { startProcess } from "#support/FrameProcesses.ts"
import { freshDatabase, temporaryDirectory } from "#support/Postgres.ts"
import { Work } from "#support/ProbeTables.ts"

const send = (target: Parameters<typeof client>[0], ...numbers: ReadonlyArray<number>) =>
  inFrame(
    Effect.flatMap(Jobs.Jobs, (jobs) =>
      jobs.send(
        Work,
        numbers.map((n) => ({ data: { n } }))
      )
    ),
    { queues: [Work.queue], target }
  )

/**
 * Counts rows. Retries while Postgres is unreachable; afterwards each pooled connection of the test fails once more.
 */
const count = (sql: PgClient.PgClient, what: string) =>
  Effect.map(
    Effect.retry(sql.unsafe<{ count: number }>(`select count(*)::int as count from ${what}`), {
      times: 50,
      schedule: Schedule.spaced(200)
    }),
    (rows) => rows[0]!.count
  )

it.live(
  "claims of a killed process move to another process within 5 s; other claims stay",
  () =>
    Effect.gen(function* () {
      const { target, url } = yield* freshDatabase
      const sql = yield* client(target)
      const first = yield* startProcess(url, { PROBE_WORK: "60000" })
      yield* send(target, 1, 2)
      yield* until(
        "two in work",
        Effect.map(count(sql, "probe.begun"), (n) => n === 2)
      )
      const second = yield* startProcess(url, { PROBE_WORK: "10" })
      yield* first.kill("SIGKILL")
      // Less than the grace period and the next check: a process that is known to be dead gets no grace period.
      yield* holdsAfter(
        5_000,
        "done by the other",
        Effect.map(count(sql, `probe.done where pid = ${second.pid}`), (n) => n === 2)
      )
      yield* until(
        "its traces are gone",
        Effect.map(count(sql, heldClaims), (n) => n === 0)
      )
      expect(yield* count(sql, "probe.done")).toBe(2)
      expect(yield* count(sql, `core.incarnation where pid = ${first.pid}`)).toBe(0)
      expect(yield* count(sql, `core.incarnation where pid = ${second.pid}`)).toBe(1)
    }),
  120_000
)

it.live(
  "a stopping process finishes its current work, and stops quickly",
  () =>
    Effect.gen(function* () {
      const { target, url } = yield* freshDatabase
      const sql = yield* client(target)
      // Long enough for the signal to come during the work.
      const first = yield* startProcess(url, { PROBE_WORK: "5000" })
      yield* send(target, 1, 2, 3)
      yield* until(
        "two in work",
        Effect.map(count(sql, "probe.begun"), (n) => n === 2)
      )
      const before = performance.now()
      yield* first.kill("SIGTERM")
      // Less than the 12 s that a stop waits for work.
      expect(performance.now() - before).toBeLessThan(10_000)
      expect(first.child.exitCode).toBe(0)
      expect(yield* count(sql, "probe.done")).toBe(2)
      expect(yield* count(sql, heldClaims)).toBe(0)
      expect(yield* count(sql, "pgboss.job where state = 'created'")).toBe(1)
    }),
  120_000
)

it.live(
  "a living process keeps its claims when Postgres is killed, and continues",
  () =>
    Effect.gen(function* () {
      const dataDir = yield* temporaryDirectory()
      const keeper = yield* PostgresKeeper.make({ dataDir, fsync: true })
      yield* Effect.forkScoped(keeper.keep)
      const url = toUrl(keeper.target)
      const sql = yield* client(keeper.target)
      yield* startProcess(url, { PROBE_WORK: "7000" })
      yield* startProcess(url, { PROBE_WORK: "7000" })
      yield* send(keeper.target, 1, 2, 3)
      yield* until(
        "three in work",
        Effect.map(count(sql, "probe.begun"), (n) => n === 3)
      )
      const { pid } = yield* keeper.current
      process.kill(pid, "SIGKILL")
      yield* until(
        "it is back",
        Effect.map(keeper.restarts, (restarts) => restarts === 1)
      )
      yield* until(
        "three done",
        Effect.map(count(sql, "probe.done"), (n) => n === 3),
        20
      )
      // Each job began once, so neither process considered the other dead.
      expect(yield* count(sql, "probe.begun")).toBe(3)
      yield* send(keeper.target, 4)
      // Less than the 30 s after which a worker looks by itself.
      yield* until(
        "new work is taken",
        Effect.map(count(sql, "probe.begun"), (n) => n === 4),
        15
      )
    }),
  120_000
)

it.live(
  "a process counts as dead only after its lock was free for the grace period",
  () =>
    Effect.gen(function* () {
      const { target } = yield* freshDatabase
      yield* inFrame(
        Effect.gen(function* () {
          const mine = yield* Incarnation.Incarnation
          const database = yield* Database.Database
          const sql = yield* Sql.SqlClient.SqlClient
          yield* sql`insert into core.incarnation (daemons, host, pid) values ('gone', 'elsewhere', 1)`
          expect(yield* mine.dead).toEqual([])
          const seenAt = performance.now()
          // The frame's own reaper may have detected and deleted it first.
          const gone = Effect.map(
            sql`select 1 from core.incarnation where daemons = 'gone'`,
            (rows) => rows.length === 0
          )
          yield* until(
            "dead",
            Effect.flatMap(mine.dead, (dead) => {
              expect(dead).not.toContain(mine.id)
              return dead.length === 1 ? Effect.succeed(true) : gone
            })
          )
          expect(performance.now() - seenAt).toBeGreaterThan(3900)
          expect(database.embedded).toBe(false)
        }).pipe(Effect.provide(PgClient.layer(toSqlPg(target)))),
        { target }
      )
    }),
  120_000
)

it.live(
  "a new listening session gives up when the lock of the former one does not become free",
  () =>
    Effect.gen(function* () {
      const { target } = yield* freshDatabase
      yield* inFrame(
        Effect.gen(function* () {
          const mine = yield* Incarnation.Incarnation
          const sql = yield* Sql.SqlClient.SqlClient
          const isHeld = Effect.map(
            // The server also has databases of other tests, in which a process can have the same id.
            sql`select 1 from pg_locks where locktype = 'advisory' and objid = ${mine.id} and granted
              and database = (select oid from pg_database where datname = current_database())`,
            (rows) => rows.length > 0
          )
          yield* until("the listening session has the lock", isHeld)
          const another = yield* PgConnection.make({ ...toSqlPg(target), applicationName: "another" })
          const refused = yield* Effect.flip(mine.hold(yield* another.pin))
          expect(String(refused.cause)).toContain("LockTimeoutError")
        }).pipe(Effect.scoped, Effect.provide(PgClient.layer(toSqlPg(target)))),
        { target }
      )
    }),
  120_000
)

it.live(
  "the oldest living process of a daemon is its speaker",
  () =>
    Effect.gen(function* () {
      const { target } = yield* freshDatabase
      const speaks = Effect.flatMap(Incarnation.Incarnation, (incarnation) => incarnation.isEldest("test"))
      yield* inFrame(
        Effect.gen(function* () {
          yield* until("the first has its lock", speaks)
          yield* inFrame(
            Effect.gen(function* () {
              const incarnation = yield* Incarnation.Incarnation
              yield* until(
                "the second sees the first",
                Effect.map(speaks, (is) => !is)
              )
              // Any process may speak for a daemon that nobody runs.
              expect(yield* incarnation.isEldest("other")).toBe(true)
            }),
            { target }
          )
          expect(yield* speaks).toBe(true)
        }),
        { target }
      )
      // The first process has ended. Its row may remain, but its lock does not.
      yield* inFrame(until("a later one takes its place", speaks), { target })
    }),
  120_000
)
