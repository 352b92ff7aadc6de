/** Jobs whose handler, claim, process or database fails. */
import { expect, it } from "@effect/vitest"
import { Effect, Exit, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { Database } from "#core/sql/Database.ts"
import { Incarnation } from "#core/cluster/Incarnation.ts"
import { transaction } from "#core/sql/Sql.ts"
import { client, heldClaims, inFrame, until } from "#support/Frame.ts"
import { freshDatabase } from "#support/Postgres.ts"
import { collect, counted, queues, send, stateOf, Work, work } from "./WorkQueue.ts"

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
        yield* counted(others, 2)
        expect(tries.length).toBeLessThan(4)
        yield* counted(tries, 4, 30)
        const pauses = tries.slice(1).map((at, index) => at - tries[index]!)
        expect(retries).toEqual([0, 1, 2, 3])
        // Pauses of 1, 2 and 4 s. On a busy machine any of them is longer.
        expect(pauses[0]).toBeGreaterThan(900)
        expect(pauses[1]).toBeGreaterThan(1_900)
        expect(pauses[2]).toBeGreaterThan(3_900)
        yield* until(
          "done",
          Effect.map(stateOf(0), (states) => states[0] === "completed")
        )
      }),
      { queues }
    ),
  120_000
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
          yield* counted(done, 1)
        }),
        { queues, target }
      )
    }),
  120_000
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
      yield* counted(done, 1)
      expect(done).toEqual([1])
    }),
    { queues }
  )
)
