import { expect, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Schedule, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Database } from "#core/sql/Database.ts"
import { Incarnation } from "#core/cluster/Incarnation.ts"
import * as Jobs from "#core/jobs/Jobs.ts"
import { transaction } from "#core/sql/Sql.ts"
import { client, heldClaims, inFrame, run, until } from "#support/Frame.ts"
import { freshDatabase } from "#support/Postgres.ts"

const Work = Jobs.define("test.work", Schema.Struct({ n: Schema.Number }))
const queues = [Work.queue]
const idleQueues = [1, 2, 3, 4, 5, 6].map((n) => `test.idle_${n}`)

const send = (...jobs: ReadonlyArray<{ readonly n: number } & Jobs.SendOptions>) =>
  Effect.flatMap(Jobs.Jobs, (engine) =>
    engine.send(
      Work,
      jobs.map(({ n, ...options }) => ({ data: { n }, ...options }))
    )
  )

const work = <R>(
  handle: (job: Jobs.ClaimedJob<{ readonly n: number }>) => Effect.Effect<unknown, unknown, R>,
  concurrency?: number
) =>
  Effect.flatMap(Jobs.Jobs, (engine) =>
    run(engine.worker({ type: Work, handle, ...(concurrency === undefined ? {} : { concurrency }) }))
  )

const collect = (into: Array<number>, concurrency?: number) =>
  work((job) => Effect.sync(() => into.push(job.data.n)), concurrency)

const stateOf = (n: number) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql<{
        state: string
      }>`select state::text as state from pgboss.job where name = ${Work.queue} and (data->>'n')::int = ${n}`,
      (rows) => rows.map((row) => row.state)
    )
  )

const counted = (list: ReadonlyArray<unknown>, count: number, seconds?: number) =>
  until(
    `${count} jobs done`,
    Effect.sync(() => list.length >= count),
    seconds
  )

it.live("a job starts within milliseconds after its transaction commits", () =>
  inFrame(
    Effect.gen(function* () {
      const done: Array<number> = []
      yield* collect(done)
      yield* Effect.exit(transaction(Effect.andThen(send({ n: 1 }), Effect.fail("rolled back"))))
      yield* Effect.exit(
        transaction(
          Effect.andThen(Effect.exit(transaction(Effect.andThen(send({ n: 2 }), Effect.fail("inner")))), send({ n: 3 }))
        )
      )
      const before = performance.now()
      yield* counted(done, 1)
      expect(performance.now() - before).toBeLessThan(2000)
      expect(done).toEqual([3])
      expect(yield* stateOf(1)).toEqual([])
    }),
    { queues }
  )
)

it.live("a key identifies one job, also after completion, and within one call", () =>
  inFrame(
    Effect.gen(function* () {
      const done: Array<number> = []
      yield* send({ n: 1, key: "a" }, { n: 1, key: "a" }, { n: 2, key: "b" })
      yield* collect(done)
      yield* counted(done, 2)
      yield* send({ n: 1, key: "a" }, { n: 3, key: "c" })
      yield* counted(done, 3)
      expect(done.toSorted()).toEqual([1, 2, 3])
    }),
    { queues }
  )
)

it.live("a delayed job starts within a second of its time, not earlier, and without the fallback poll", () =>
  inFrame(
    Effect.gen(function* () {
      const late: Array<number> = []
      const [at1, at2] = [Date.now() + 1500, Date.now() + 2500]
      yield* work(() => Effect.sync(() => late.push(Date.now())))
      yield* send({ n: 1, startAfter: new Date(at1) })
      // The worker already waits for the first job. It must not sleep past the second one.
      yield* send({ n: 2, startAfter: new Date(at2) })
      yield* counted(late, 2, 6)
      for (const [begun, due] of [
        [late[0]!, at1],
        [late[1]!, at2]
      ] as const) {
        expect(begun - due).toBeGreaterThanOrEqual(-5)
        expect(begun - due).toBeLessThan(1000)
      }
    }),
    { queues }
  )
)

it.live("an earlier job sent to a worker that waits for a later one is not late", () =>
  inFrame(
    Effect.gen(function* () {
      const done: Array<number> = []
      yield* collect(done)
      yield* send({ n: 1, startAfter: new Date(Date.now() + 20_000) })
      yield* Effect.sleep(200)
      yield* send({ n: 2, startAfter: new Date(Date.now() + 500) })
      yield* counted(done, 1, 2)
      expect(done).toEqual([2])
    }),
    { queues }
  )
)

it.live("higher priority goes first", () =>
  inFrame(
    Effect.gen(function* () {
      const done: Array<number> = []
      yield* send({ n: 1 }, { n: 2, priority: 5 }, { n: 3, priority: 9 }, { n: 4 })
      yield* collect(done)
      yield* counted(done, 4)
      expect(done.slice(0, 2)).toEqual([3, 2])
    }),
    { queues }
  )
)

it.live("as many jobs as configured run in parallel, and no more", () =>
  inFrame(
    Effect.gen(function* () {
      let now = 0
      let most = 0
      const done: Array<number> = []
      yield* send(...Array.from({ length: 30 }, (_, n) => ({ n })))
      yield* work(
        (job) =>
          Effect.gen(function* () {
            most = Math.max(most, ++now)
            yield* Effect.sleep(20)
            now--
            done.push(job.data.n)
          }),
        4
      )
      yield* counted(done, 30)
      expect(most).toBe(4)
    }),
    { queues }
  )
)

it.live(
  "a failed job is retried with growing pauses, and blocks no other",
  () =>
    inFrame(
      Effect.gen(function* () {
        const tries: Array<number> = []
        const others: Array<number> = []
        const retries: Array<number> = []
        yield* work((job) =>
          Effect.suspend(() => {
            if (job.data.n !== 0) return Effect.sync(() => others.push(job.data.n))
            tries.push(performance.now())
            retries.push(job.retries)
            return tries.length === 2
              ? Effect.die(new Error("a defect"))
              : tries.length < 4
                ? Effect.fail("not yet")
                : Effect.void
          })
        )
        yield* send({ n: 0 })
        yield* counted(tries, 1)
        yield* send({ n: 1 }, { n: 2 })
        yield* counted(others, 2, 1)
        yield* counted(tries, 4, 12)
        const pauses = tries.slice(1).map((at, index) => at - tries[index]!)
        expect(retries).toEqual([0, 1, 2, 3])
        expect(pauses[0]).toBeGreaterThan(900)
        expect(pauses[1]).toBeGreaterThan(pauses[0]! * 1.5)
        expect(pauses[2]).toBeGreaterThan(pauses[1]! * 1.5)
        yield* until(
          "done",
          Effect.map(stateOf(0), (states) => states[0] === "completed")
        )
      }),
      { queues }
    ),
  30_000
)

it.live("a handler that completes by itself records its result exactly with the completion", () =>
  inFrame(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`create table result (n int)`
      yield* work((job) => transaction(Effect.andThen(sql`insert into result values (${job.data.n})`, job.complete)))
      yield* send({ n: 7 })
      yield* until(
        "completed",
        Effect.map(stateOf(7), (states) => states[0] === "completed")
      )
      expect(yield* sql`select n from result`).toEqual([{ n: 7 }])
      expect(yield* sql`select 1 from ${sql.literal(heldClaims)}`).toEqual([])
    }),
    { queues }
  )
)

it.live("the result is rolled back when another process has the job", () =>
  inFrame(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`create table result (n int)`
      const ends: Array<Exit.Exit<unknown, unknown>> = []
      yield* work((job) =>
        Effect.gen(function* () {
          if (job.retries > 0) return
          // Simulates the reaper with a process that it considers dead, and a claim by a different process.
          yield* sql`update pgboss.job set state = 'retry' where id = ${job.id}`
          yield* sql`update pgboss.job set state = 'active', retry_count = retry_count + 1 where id = ${job.id}`
          const end = yield* Effect.exit(
            transaction(Effect.andThen(sql`insert into result values (${job.data.n})`, job.complete))
          )
          ends.push(end)
          yield* end
        })
      )
      yield* send({ n: 1 })
      yield* counted(ends, 1)
      expect(String(Exit.isFailure(ends[0]!) && ends[0].cause)).toContain("no longer claimed by this process")
      expect(yield* sql`select n from result`).toEqual([])
      // The job was not given back either: the other process's claim remains.
      expect(yield* stateOf(1)).toEqual(["active"])
    }),
    { queues }
  )
)

it.live("running jobs are finished when the process stops", () =>
  Effect.gen(function* () {
    const { target } = yield* freshDatabase
    const done: Array<number> = []
    let begun = 0
    yield* inFrame(
      Effect.gen(function* () {
        yield* send({ n: 1 }, { n: 2 }, { n: 3 })
        yield* work(
          (job) =>
            Effect.gen(function* () {
              begun++
              yield* Effect.sleep(600)
              done.push(job.data.n)
            }),
          2
        )
        yield* until(
          "two in work",
          Effect.sync(() => begun === 2)
        )
      }),
      { queues, target }
    )
    expect(done.length).toBe(2)
    expect(begun).toBe(2)
    yield* inFrame(
      Effect.gen(function* () {
        expect(new Set([...(yield* stateOf(1)), ...(yield* stateOf(2)), ...(yield* stateOf(3))])).toEqual(
          new Set(["completed", "created"])
        )
        yield* collect(done)
        yield* counted(done, 3)
      }),
      { queues, target }
    )
    expect(done.toSorted()).toEqual([1, 2, 3])
  })
)

it.live(
  "an interrupted job is returned at once, although its process lives",
  () =>
    Effect.gen(function* () {
      const { target } = yield* freshDatabase
      yield* inFrame(
        Effect.gen(function* () {
          let begun = 0
          yield* send({ n: 1 })
          // The worker's daemon stops and restarts while the process and its claims continue.
          yield* Effect.scoped(
            Effect.gen(function* () {
              yield* work(() => Effect.sync(() => begun++).pipe(Effect.andThen(Effect.never)))
              yield* until(
                "in work",
                Effect.sync(() => begun === 1)
              )
            })
          )
          expect(yield* stateOf(1)).toEqual(["retry"])
          const done: Array<number> = []
          yield* collect(done)
          yield* counted(done, 1, 2)
        }),
        { queues, target }
      )
    }),
  40_000
)

it.live("completed work is recorded when the database is back, and not repeated", () =>
  inFrame(
    Effect.gen(function* () {
      let begun = 0
      yield* work(() =>
        Effect.gen(function* () {
          begun++
          // Its connections are cut repeatedly during the completion.
          yield* Effect.forkScoped(
            Effect.repeat(
              Effect.ignore(outside`select pg_terminate_backend(pid) from pg_stat_activity
              where datname = current_database() and pid <> pg_backend_pid() and application_name = 'frame'`),
              { times: 15, schedule: Schedule.spaced(20) }
            )
          )
          yield* Effect.sleep(50)
        })
      )
      const { target } = yield* Database
      const outside = yield* client(target)
      yield* send({ n: 1 })
      yield* until(
        "completed",
        Effect.orElseSucceed(
          Effect.map(stateOf(1), (states) => states[0] === "completed"),
          () => false
        )
      )
      expect(begun).toBe(1)
      // Uses the connection that is not cut, because the cutting may still continue.
      expect(yield* outside`select 1 from ${outside.literal(heldClaims)}`).toEqual([])
    }),
    { queues }
  )
)

it.live("a job that does not match its contract is returned and blocks no other", () =>
  inFrame(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const done: Array<number> = []
      yield* send({ n: 1 }, { n: 2 })
      yield* sql`update pgboss.job set data = '{"n": "one"}' where data->>'n' = '1'`
      yield* collect(done)
      yield* counted(done, 1)
      yield* until(
        "given back",
        Effect.map(sql`select 1 from pgboss.job where state = 'retry'`, (rows) => rows.length === 1)
      )
      expect(done).toEqual([2])
    }),
    { queues }
  )
)

it.live(
  "idle workers send almost no queries",
  () =>
    inFrame(
      Effect.gen(function* () {
        const engine = yield* Jobs.Jobs
        const { target } = yield* Database
        const outside = yield* client(target)
        for (const queue of idleQueues) {
          yield* run(engine.worker({ type: Jobs.define(queue, Schema.Struct({})), handle: () => Effect.void }))
        }
        const transactions = Effect.map(
          outside<{
            count: number
          }>`select (xact_commit + xact_rollback)::int as count from pg_stat_database where datname = current_database()`,
          (rows) => rows[0]!.count
        )
        // An idle session reports its statistics after ten seconds. Until then they include the start.
        yield* Effect.sleep(12_000)
        // Normal is 2.5 per second over a minute. Polling every second by each worker would add 12 in every window. A
        // single high window may come from a late report of the start, so one low window suffices.
        let perSecond = Infinity
        for (let window = 0; window < 4 && perSecond >= 8; window++) {
          const before = yield* transactions
          yield* Effect.sleep(5000)
          perSecond = ((yield* transactions) - before) / 5
        }
        expect(perSecond).toBeLessThan(8)
      }),
      { queues: idleQueues }
    ),
  40_000
)

it.live(
  "the memory of a worker does not grow with the queue",
  () =>
    inFrame(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        for (let part = 0; part < 10; part++)
          yield* send(...Array.from({ length: 1000 }, (_, n) => ({ n: part * 1000 + n })))
        let active = 0
        const fiber = yield* Effect.forkChild(
          Effect.forever(
            Effect.gen(function* () {
              const [row] = yield* sql<{ count: number }>`select count(*)::int as count from ${sql.literal(heldClaims)}`
              active = Math.max(active, row!.count)
              yield* Effect.sleep(20)
            })
          )
        )
        const before = process.memoryUsage().heapUsed
        let most = 0
        const done: Array<number> = []
        yield* work(
          (job) =>
            Effect.sync(() => {
              done.push(job.data.n)
              if (done.length % 100 === 0) most = Math.max(most, process.memoryUsage().heapUsed - before)
            }),
          20
        )
        yield* counted(done, 1500, 25)
        yield* Fiber.interrupt(fiber)
        // The worker holds only the jobs it works on, never the whole queue.
        expect(active).toBeLessThanOrEqual(20)
        expect(most / 1e6).toBeLessThan(60)
      }),
      { queues }
    ),
  40_000
)

it.live("a claim with a lost answer goes to the next worker", () =>
  inFrame(
    Effect.gen(function* () {
      const { id } = yield* Incarnation
      const sql = yield* SqlClient.SqlClient
      yield* send({ n: 1 })
      yield* sql`with claimed as (update pgboss.job set state = 'active', started_on = now() where name = ${Work.queue} returning id)
        insert into core.job_claim (job_id, queue, incarnation) select id, ${Work.queue}, ${id} from claimed`
      const done: Array<number> = []
      yield* collect(done)
      yield* counted(done, 1, 5)
      expect(done).toEqual([1])
    }),
    { queues }
  )
)
