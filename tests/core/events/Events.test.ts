/** Events: emitting, patterns, readers that fail, start late or start now, and pruning. */
import { expect, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Latch, Schema } from "effect"
import { SqlClient } from "effect/sql"
import fc from "fast-check"
import * as Events from "#core/events/Events.ts"
import { transaction } from "#core/sql/Sql.ts"
import { client, inFrame, until } from "#support/Frame.ts"
import { freshDatabase } from "#support/Postgres.ts"
import { consume, emit, numbers, Other } from "./Counted.ts"

it.live("an event is sent only if its transaction commits", () =>
  inFrame(
    Effect.gen(function* () {
      const seen: Array<Events.Event> = []
      yield* consume(seen)
      yield* Effect.exit(transaction(Effect.andThen(emit(1), Effect.fail("rolled back"))))
      yield* transaction(emit(2))
      yield* until(
        "the committed event",
        Effect.sync(() => seen.length > 0)
      )
      expect(numbers(seen)).toEqual([2])
    })
  )
)

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
  40_000
)

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
  20_000
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

it.live("a reader that starts now skips earlier events, but no event of an open transaction", () =>
  inFrame(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const seen: Array<Events.Event> = []
      const underWay = yield* Latch.make()
      const slow = yield* Effect.forkChild(
        transaction(
          Effect.gen(function* () {
            yield* emit(1)
            yield* underWay.open
            yield* sql`select pg_sleep(0.5)`
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
      yield* Fiber.join(slow)
      yield* until(
        "the third",
        Effect.sync(() => numbers(seen).includes(3))
      )
      expect(numbers(seen).toSorted()).toEqual([1, 3])
    })
  )
)

it.live("the database applies a pattern like `matches`", () =>
  inFrame(
    Effect.gen(function* () {
      const events = yield* Events.Events
      const [all, exact, prefix] = [[], [], []] as [Array<Events.Event>, Array<Events.Event>, Array<Events.Event>]
      yield* consume(all, { name: "test.all", pattern: "*" })
      yield* consume(exact, { name: "test.exact", pattern: "other.thing" })
      yield* consume(prefix, { name: "test.prefix", pattern: "probe.*" })
      yield* emit(1)
      yield* events.emit(Other, "test", {})
      yield* events.emit(Events.define("probe_x", Schema.Struct({})), "test", {})
      yield* until(
        "all",
        Effect.sync(() => all.length === 3)
      )
      yield* until(
        "the others",
        Effect.sync(() => exact.length === 1 && prefix.length === 1)
      )
      expect(exact.map((event) => event.type)).toEqual(["other.thing"])
      expect(prefix.map((event) => event.type)).toEqual(["probe.counted"])
    })
  )
)

it.live("old events are deleted after every reader has passed them, and not before", () =>
  Effect.gen(function* () {
    const { target } = yield* freshDatabase
    yield* inFrame(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const seen: Array<Events.Event> = []
        yield* Effect.forEach([1, 2], emit)
        yield* sql`update core.event set at = now() - interval '20 days' where id = 1`
        yield* sql`insert into core.event_cursor (consumer, xid, id) values ('test.late', '0', 0)`
        expect(yield* Events.prune(14)).toBe(0)
        yield* sql`delete from core.event_cursor`
        yield* consume(seen)
        yield* until(
          "read",
          Effect.sync(() => seen.length === 2)
        )
        yield* until(
          "the old one goes",
          Effect.map(Events.prune(14), (gone) => gone === 1)
        )
        expect((yield* sql<{ id: bigint }>`select id from core.event`).map((row) => Number(row.id))).toEqual([2])
        // A reader that returns from an earlier position learns that events are gone.
        expect((yield* sql<{ id: bigint }>`select id from core.event_floor`).map((row) => Number(row.id))).toEqual([1])
      }),
      { target }
    )
  })
)

it.live("the horizon's age shows an open write transaction", () =>
  Effect.gen(function* () {
    const { target } = yield* freshDatabase
    const sql = yield* client(target)
    yield* inFrame(
      Effect.gen(function* () {
        const events = yield* Events.Events
        const open = yield* Effect.forkChild(
          sql.withTransaction(Effect.andThen(sql`select pg_current_xact_id()::text`, sql`select pg_sleep(2)`))
        )
        yield* until(
          "an age",
          Effect.map(events.horizonAge, (age) => age > 0.5),
          3
        )
        yield* Fiber.interrupt(open)
      }),
      { target }
    )
  })
)

it("matches a pattern: all types, one type, or a prefix", () => {
  const word = fc.stringMatching(/^[a-z_]{1,6}$/)
  const type = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join("."))
  fc.assert(
    fc.property(type, type, (a, b) => {
      expect(Events.matches("*", a)).toBe(true)
      expect(Events.matches(a, b)).toBe(a === b)
      expect(Events.matches(`${a}.*`, b)).toBe(b.startsWith(`${a}.`))
    })
  )
})

it.live("an event that does not match its contract is a defect, and nothing is written", () =>
  inFrame(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const exit = yield* Effect.exit(emit("one" as never))
      expect(Exit.isFailure(exit)).toBe(true)
      expect(yield* sql`select 1 from core.event`).toEqual([])
    })
  )
)
