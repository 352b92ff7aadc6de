/** Every committed event is read, once and in order, in whichever order transactions begin and end. */
import { expect, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Latch } from "effect"
import { SqlClient } from "effect/sql"
import type * as Events from "#core/events/Events.ts"
import { transaction } from "#core/sql/Sql.ts"
import { client, inFrame, run, until } from "#support/Frame.ts"
import { freshDatabase } from "#support/Postgres.ts"
import { make as makeRandom } from "#support/Random.ts"
import { consume, declare, emit, numbers } from "./EventReaders.ts"

it.live(
  "a reader gets each event once and in order across restarts",
  () =>
    Effect.gen(function* () {
      const { target } = yield* freshDatabase
      const seen: Array<Events.Event> = []
      for (const life of [0, 1, 2]) {
        yield* inFrame(
          Effect.gen(function* () {
            yield* Effect.forEach([1, 2, 3, 4], (n) => emit(life * 10 + n))
            yield* consume(seen)
            yield* until(
              "this life's events",
              Effect.sync(() => seen.length === (life + 1) * 4)
            )
          }),
          { target }
        )
      }
      expect(numbers(seen)).toEqual([1, 2, 3, 4, 11, 12, 13, 14, 21, 22, 23, 24])
    }),
  120_000
)

it.live("transaction numbers are compared as numbers: 100 follows 99, across pages", () =>
  inFrame(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      // More events of each transaction than a page holds. The later transaction has the lower event ids.
      yield* sql`insert into core.event (xid, type, source, data)
      select x::text::xid8, 'probe.counted', 'test', jsonb_build_object('n', x * 1000 + n) from unnest(array[100, 99]) x, generate_series(1, 250) n`
      const seen: Array<Events.Event> = []
      yield* consume(seen)
      yield* until(
        "all of them",
        Effect.sync(() => seen.length >= 500)
      )
      expect(numbers(seen)).toEqual([99, 100].flatMap((x) => Array.from({ length: 250 }, (_, n) => x * 1000 + n + 1)))
    })
  )
)

it.live("a slow transaction that took a lower id is not skipped", () =>
  inFrame(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const seen: Array<Events.Event> = []
      yield* consume(seen)
      const end = yield* Latch.make()
      const slow = yield* Effect.forkChild(transaction(Effect.andThen(emit(1), end.await)))
      yield* until(
        "the slow one has its id",
        Effect.map(
          sql<{ taken: boolean }>`select is_called and last_value >= 1 as taken from core.event_id_seq`,
          (rows) => rows[0]!.taken
        )
      )
      yield* transaction(emit(2))
      // Long enough for the reader to see the second event while the first transaction is still open.
      yield* Effect.sleep(300)
      const early = numbers(seen)
      yield* end.open
      yield* Fiber.join(slow)
      // Less than the 30 s after which a reader looks again by itself.
      yield* until(
        "both",
        Effect.sync(() => seen.length === 2),
        15
      )
      expect(early).toEqual([])
      expect(numbers(seen).toSorted()).toEqual([1, 2])
    })
  )
)

it.live("a reader that starts now skips earlier events, but no event of an open transaction", () =>
  inFrame(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const seen: Array<Events.Event> = []
      const [underWay, end] = [yield* Latch.make(), yield* Latch.make()]
      const slow = yield* Effect.forkChild(
        transaction(
          Effect.gen(function* () {
            yield* emit(1)
            yield* underWay.open
            yield* end.await
          })
        )
      )
      yield* underWay.await
      // Committed before the reader starts, but above the horizon that the slow transaction holds.
      yield* emit(2)
      yield* consume(seen, { from: "now" })
      yield* until(
        "its cursor",
        Effect.map(sql`select 1 from core.event_cursor`, (rows) => rows.length === 1)
      )
      yield* emit(3)
      yield* end.open
      yield* Fiber.join(slow)
      yield* until(
        "the third",
        Effect.sync(() => numbers(seen).includes(3))
      )
      expect(numbers(seen).toSorted()).toEqual([1, 3])
    })
  )
)

it.live("a reader gets what happens between its declaration and its start", () =>
  inFrame(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const seen: Array<Events.Event> = []
      const declared = yield* declare(seen, { from: "now" })
      yield* until(
        "its cursor",
        Effect.map(sql`select from core.event_cursor`, (rows) => rows.length === 1)
      )
      yield* emit(1)
      yield* run(declared)
      yield* until(
        "the event",
        Effect.sync(() => seen.length === 1)
      )
    })
  )
)

it.live(
  "an event behind a just finished transaction is delivered without waiting for another event",
  () =>
    inFrame(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const seen: Array<Events.Event> = []
        yield* consume(seen)
        // Constant short write transactions, so that the horizon moves between any two statements of the reader.
        yield* Effect.forkChild(
          Effect.forever(transaction(Effect.andThen(sql`select pg_current_xact_id()`, Effect.sleep(2))))
        )
        // Less than the 30 s after which a reader looks again by itself.
        for (let n = 0; n < 150; n++) {
          yield* emit(n)
          yield* until(
            `event ${n}`,
            Effect.sync(() => seen.length === n + 1),
            15
          )
        }
        expect(numbers(seen)).toEqual(Array.from({ length: 150 }, (_, n) => n))
      })
    ),
  120_000
)

it.live(
  "writers ending in any order and a reader killed at any time: each event is delivered, and the cursor never passes an unread one",
  () =>
    Effect.gen(function* () {
      const random = makeRandom()
      const { target } = yield* freshDatabase
      const sql = yield* client(target)
      const handled = new Map<number, number>()
      const committed = new Set<number>()
      const passed: Array<string> = []
      let n = 0
      let lives = 0
      // Each writer takes event ids and a transaction number now and ends later, a third of them by rollback. One stays
      // open for a second, and writes on at a slower pace until the reader was killed twice.
      const writer = (most: number, keepsOpen = false) =>
        Effect.gen(function* () {
          for (let round = 0; round < most || (keepsOpen && lives < 3); round++) {
            const own = Array.from({ length: 1 + Math.floor(random.next() * 3) }, () => n++)
            const write = sql`insert into core.event (type, source, data) select 'probe.counted', 'test', jsonb_build_object('n', x) from unnest(${own}::int[]) x`
            const end = Effect.andThen(
              sql`select pg_notify('signalbox', 'event')`,
              random.next() < 0.33 ? Effect.fail("rolled back") : Effect.void
            )
            const hold = keepsOpen && round === 2 ? 1_000 : random.next() * (round < most ? 40 : 400)
            const exit = yield* Effect.exit(
              sql.withTransaction(write.pipe(Effect.andThen(Effect.sleep(hold)), Effect.andThen(end)))
            )
            if (Exit.isSuccess(exit)) for (const one of own) committed.add(one)
          }
        })
      yield* inFrame(sql`select 1`, { target })
      const writing = yield* Effect.forkChild(
        Effect.all([writer(30, true), writer(40), writer(40)], { concurrency: "unbounded" })
      )
      const handle = (event: Events.Event) =>
        Effect.andThen(
          Effect.sleep(random.next() * 3),
          Effect.sync(() => {
            const { n } = event.data as { n: number }
            handled.set(n, (handled.get(n) ?? 0) + 1)
          })
        )
      // Events behind the cursor, read in the same statement as the cursor, must already be handled.
      const look = Effect.gen(function* () {
        const rows = yield* sql<{
          n: number
        }>`select (e.data->>'n')::int as n from core.event e, core.event_cursor c where (e.xid, e.id) <= (c.xid, c.id)`
        for (const row of rows) if (!handled.has(row.n)) passed.push(String(row.n))
      })
      while (true) {
        const last = writing.pollUnsafe() !== undefined
        lives += 1
        yield* inFrame(
          Effect.gen(function* () {
            yield* consume([], { handle })
            if (last)
              return yield* until(
                "all that was committed",
                Effect.sync(() => [...committed].every((one) => handled.has(one))),
                20
              )
            const deadline = performance.now() + random.between(20, 400)
            while (performance.now() < deadline) yield* look
          }),
          { target }
        )
        yield* look
        if (last) break
      }
      expect(passed, `seed ${random.seed}`).toEqual([])
      expect(lives).toBeGreaterThan(2)
      // Only events in progress at a kill are repeated. Events that were rolled back never appear.
      expect([...handled.keys()].toSorted((a, b) => a - b)).toEqual([...committed].toSorted((a, b) => a - b))
      expect([...handled.values()].reduce((sum, times) => sum + times - 1, 0)).toBeLessThan(lives)
    }).pipe(Effect.scoped),
  120_000
)
