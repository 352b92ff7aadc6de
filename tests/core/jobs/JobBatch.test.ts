import { expect, it } from "@effect/vitest"
import { Effect, Latch, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import * as JobBatch from "#core/jobs/JobBatch.ts"
import * as Jobs from "#core/jobs/Jobs.ts"
import { inFrame, run, until } from "#support/Frame.ts"

const Work = Jobs.define("test.batch", Schema.Struct({ n: Schema.Number }))

interface Item extends JobBatch.WithJob {
  readonly n: number
}

it.live("simultaneous results share a transaction; a lost claim or a failed record affects only itself", () =>
  inFrame(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const engine = yield* Jobs.Jobs
      yield* sql`create table public.result (n int primary key, xid xid8 not null default pg_current_xact_id())`
      const hold = yield* Latch.make()
      const ends: Array<string> = []
      const record = yield* JobBatch.make(
        (items: ReadonlyArray<Item>) =>
          Effect.gen(function* () {
            // The first call keeps the batcher busy until all other calls wait.
            if (items.some(({ n }) => n === 0)) yield* hold.await
            return yield* Effect.forEach(
              items,
              ({ n }): Effect.Effect<number, "cannot be recorded" | SqlError.SqlError> =>
                n === 5
                  ? Effect.fail("cannot be recorded" as const)
                  : Effect.as(sql`insert into public.result (n) values (${n})`, n * 10)
            )
          }),
        { most: 64 }
      )
      yield* run(
        engine.worker({
          type: Work,
          concurrency: 16,
          handle: (job) =>
            record({ job, n: job.data.n }).pipe(
              Effect.tap((answer) => Effect.sync(() => ends.push(`${job.data.n} → ${answer}`))),
              Effect.catch((error) =>
                Effect.sync(() => ends.push(`${job.data.n} ${typeof error === "string" ? error : error._tag}`))
              )
            )
        })
      )
      yield* engine.send(
        Work,
        Array.from({ length: 8 }, (_, n) => ({ data: { n } }))
      )
      yield* until(
        "all claimed",
        Effect.map(
          sql`select 1 from pgboss.job where name = ${Work.queue} and state = 'active'`,
          (rows) => rows.length === 8
        )
      )
      yield* sql`update pgboss.job set retry_count = retry_count + 1 where name = ${Work.queue} and data->>'n' = '3'`
      yield* Effect.sleep(100)
      yield* hold.open
      yield* until(
        "all ended",
        Effect.sync(() => ends.length >= 8)
      )
      expect(ends.slice(0, 8).toSorted()).toEqual([
        "0 → 0",
        "1 → 10",
        "2 → 20",
        "3 ClaimLost",
        "4 → 40",
        "5 cannot be recorded",
        "6 → 60",
        "7 → 70"
      ])
      const kept = yield* sql<{ n: number }>`select n from public.result order by n`
      expect(kept.map(({ n }) => n)).toEqual([0, 1, 2, 4, 6, 7])

      yield* until(
        "what was not recorded is still completed by its handler's end",
        Effect.map(
          sql`select 1 from pgboss.job where name = ${Work.queue} and data->>'n' = '5' and state = 'completed'`,
          (rows) => rows.length === 1
        )
      )

      yield* sql`truncate public.result`
      yield* hold.close
      yield* engine.send(
        Work,
        [0, 11, 12, 13, 14].map((n) => ({ data: { n } }))
      )
      yield* until(
        "claimed again",
        Effect.map(
          sql`select 1 from pgboss.job where name = ${Work.queue} and state = 'active' and (data->>'n')::int in (0, 11, 12, 13, 14)`,
          (rows) => rows.length === 5
        )
      )
      yield* Effect.sleep(100)
      yield* hold.open
      yield* until(
        "recorded",
        Effect.map(sql`select 1 from public.result`, (rows) => rows.length === 5)
      )
      const [{ transactions }] = (yield* sql<{
        transactions: number
      }>`select count(distinct xid)::int as transactions from public.result`) as [{ transactions: number }]
      expect(transactions).toBeLessThan(5)
    }),
    { queues: [Work.queue] }
  )
)
