/** What waiting workers and long queues cost: statements and memory. */
import { expect, it } from "@effect/vitest"
import { Effect, Fiber, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Database } from "#core/sql/Database.ts"
import * as Jobs from "#core/jobs/Jobs.ts"
import { client, heldClaims, inFrame, run } from "#support/Frame.ts"
import { counted, queues, send, work } from "./WorkQueue.ts"

const idleQueues = [1, 2, 3, 4, 5, 6].map((n) => `test.idle_${n}`)

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
  120_000
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
        yield* counted(done, 1500, 60)
        yield* Fiber.interrupt(fiber)
        // The worker holds only the jobs it works on, never the whole queue.
        expect(active).toBeLessThanOrEqual(20)
        expect(most / 1e6).toBeLessThan(60)
      }),
      { queues }
    ),
  120_000
)
