/** The cursor of a reader: it moves after the work, and past events that the reader does not want. */
import { expect, it } from "@effect/vitest"
import { Effect, Latch } from "effect"
import { SqlClient } from "effect/sql"
import * as Events from "#core/events/Events.ts"
import { transaction } from "#core/sql/Sql.ts"
import { inFrame, until } from "#support/Frame.ts"
import { freshDatabase } from "#support/Postgres.ts"
import { consume, emit, numbers, Other } from "./EventReaders.ts"

it.live(
  "a reader skips whole pages of unmatched events, and its cursor advances",
  () =>
    inFrame(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const seen: Array<Events.Event> = []
        yield* sql`insert into core.event (type, source, data) select 'probe.counted', 'test', jsonb_build_object('n', n) from generate_series(1, 450) n`
        yield* consume(seen, { wants: ({ data }) => (data as { n: number }).n % 149 === 0 })
        yield* until(
          "those that are wanted",
          Effect.sync(() => seen.length === 3)
        )
        expect(numbers(seen)).toEqual([149, 298, 447])
        const left = sql`select 1 from core.event e, core.event_cursor c where (e.xid, e.id) > (c.xid, c.id)`
        yield* emit(450)
        yield* until(
          "the cursor is past all",
          Effect.map(left, (rows) => rows.length === 0)
        )
        expect(seen.length).toBe(3)
      })
    ),
  120_000
)

it.live(
  "the cursor advances after the work: a crash repeats the interrupted event only",
  () =>
    Effect.gen(function* () {
      const { target } = yield* freshDatabase
      const begun: Array<number> = []
      yield* inFrame(
        Effect.gen(function* () {
          yield* Effect.forEach([1, 2, 3], emit)
          yield* consume([], {
            handle: (event) =>
              Effect.gen(function* () {
                const { n } = event.data as { n: number }
                begun.push(n)
                if (n === 2) yield* Effect.never
              })
          })
          yield* until(
            "the second is in work",
            Effect.sync(() => begun.includes(2))
          )
        }),
        { target }
      )
      const seen: Array<Events.Event> = []
      yield* inFrame(
        Effect.andThen(
          consume(seen),
          until(
            "the rest",
            Effect.sync(() => seen.length === 2)
          )
        ),
        { target }
      )
      expect(begun).toEqual([1, 2])
      expect(numbers(seen)).toEqual([2, 3])
    }),
  120_000
)

it.live("a failing handler does not move the cursor, and the event comes again", () =>
  inFrame(
    Effect.gen(function* () {
      const tries: Array<number> = []
      yield* consume([], {
        handle: (event) =>
          Effect.suspend(() => {
            const { n } = event.data as { n: number }
            tries.push(n)
            return tries.length === 1 ? Effect.fail("not yet") : Effect.void
          })
      })
      yield* emit(1)
      yield* emit(2)
      yield* until(
        "both",
        Effect.sync(() => tries.includes(2))
      )
      expect(tries).toEqual([1, 1, 2])
    })
  )
)

it.live("a reader with old events is told as catching up, also while its handler fails, and no longer afterwards", () =>
  inFrame(
    Effect.gen(function* () {
      const { catchingUp } = yield* Events.Events
      const sql = yield* SqlClient.SqlClient
      yield* emit(1)
      yield* emit(2)
      yield* sql`update core.event set at = now() - interval '20 days'`
      const tries = { first: 0, failed: 0 }
      const mended = yield* Latch.make()
      yield* consume([], {
        handle: (event) =>
          (event.data as { n: number }).n === 1
            ? Effect.sync(() => tries.first++)
            : Effect.gen(function* () {
                if (tries.failed++ === 0) return yield* Effect.fail("not yet")
                yield* mended.await
              })
      })
      yield* until(
        "it has failed once",
        Effect.sync(() => tries.failed === 2)
      )
      const late = yield* catchingUp
      expect(late.map(({ consumer }) => consumer)).toEqual(["test.reader"])
      expect(Date.now() - late[0]!.at.getTime()).toBeGreaterThan(19 * 86_400_000)
      yield* mended.open
      yield* until(
        "it has read everything",
        Effect.map(catchingUp, ({ length }) => length === 0)
      )
      expect(tries.first).toBe(1)
    })
  )
)

it.live(
  "a reader skips unmatched events once",
  () =>
    Effect.gen(function* () {
      const { target } = yield* freshDatabase
      yield* inFrame(
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const events = yield* Events.Events
          const seen: Array<Events.Event> = []
          yield* consume(seen)
          yield* emit(1)
          yield* until(
            "the first",
            Effect.sync(() => seen.length === 1)
          )
          yield* transaction(
            Effect.forEach(Array.from({ length: 500 }), () => events.emit(Other, "test", {}), { discard: true })
          )
          const passed = sql<{ behind: number }>`select count(*)::int as behind from core.event e, core.event_cursor c
          where c.consumer = 'test.reader' and (e.xid, e.id) > (c.xid, c.id)`
          yield* until(
            "others' events are behind",
            Effect.map(passed, (rows) => rows[0]!.behind === 0),
            15
          )
          yield* emit(2)
          yield* until(
            "the second",
            Effect.sync(() => seen.length === 2)
          )
        }),
        { target }
      )
    }),
  120_000
)
