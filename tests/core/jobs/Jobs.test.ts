/** Jobs that succeed: when they start, in which order, how many at once, and what their completion contains. */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { transaction } from "#core/sql/Sql.ts"
import { heldClaims, inFrame, until } from "#support/Frame.ts"
import { collect, counted, queues, send, stateOf, work } from "./WorkQueue.ts"

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
      // Less than the 30 s after which a worker looks by itself.
      yield* counted(done, 1)
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

it.live(
  "a delayed job starts within a second of its time, not earlier, and without the fallback poll",
  () =>
    inFrame(
      Effect.gen(function* () {
        const begun: Array<number> = []
        const due = [1_500, 2_500, 6_500].map((wait) => Date.now() + wait)
        yield* work(() => Effect.sync(() => begun.push(Date.now())))
        // The worker already waits for the job before. It must not sleep past the next one.
        for (const [n, at] of due.entries()) yield* send({ n, startAfter: new Date(at) })
        yield* counted(begun, due.length, 20)
        const late = begun.map((at, n) => at - due[n]!)
        for (const after of late) {
          expect(after).toBeGreaterThanOrEqual(-5)
          // Less than the 30 s after which a worker looks by itself.
          expect(after).toBeLessThan(10_000)
        }
        // One of several, because a busy machine may delay any of them.
        expect(Math.min(...late)).toBeLessThan(1000)
      }),
      { queues }
    ),
  120_000
)

it.live("an earlier job sent to a worker that waits for a later one is not late", () =>
  inFrame(
    Effect.gen(function* () {
      const done: Array<number> = []
      yield* collect(done)
      yield* send({ n: 1, startAfter: new Date(Date.now() + 20_000) })
      yield* Effect.sleep(200)
      yield* send({ n: 2, startAfter: new Date(Date.now() + 500) })
      yield* counted(done, 1)
      expect(done).toEqual([2])
    }),
    { queues }
  )
)
