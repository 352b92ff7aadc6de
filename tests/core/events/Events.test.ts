/** What is written to the outbox, who reads it, and when it is deleted. */
import { expect, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Schema } from "effect"
import { SqlClient } from "effect/sql"
import fc from "fast-check"
import * as Events from "#core/events/Events.ts"
import * as Prune from "#core/events/Prune.ts"
import { transaction } from "#core/sql/Sql.ts"
import { client, inFrame, until } from "#support/Frame.ts"
import { freshDatabase } from "#support/Postgres.ts"
import { consume, emit, numbers, Other } from "./EventReaders.ts"

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
        expect(yield* Prune.prune(14)).toBe(0)
        yield* sql`delete from core.event_cursor`
        yield* consume(seen)
        yield* until(
          "read",
          Effect.sync(() => seen.length === 2)
        )
        yield* until(
          "the old one goes",
          Effect.map(Prune.prune(14), (gone) => gone === 1)
        )
        expect((yield* sql<{ id: bigint }>`select id from core.event`).map((row) => Number(row.id))).toEqual([2])
        // A reader that returns from an earlier position learns that events are gone.
        expect((yield* sql<{ id: bigint }>`select id from core.event_floor`).map((row) => Number(row.id))).toEqual([1])
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

it.live("the horizon's age shows an open write transaction", () =>
  Effect.gen(function* () {
    const { target } = yield* freshDatabase
    const sql = yield* client(target)
    yield* inFrame(
      Effect.gen(function* () {
        const events = yield* Events.Events
        const open = yield* Effect.forkChild(
          sql.withTransaction(Effect.andThen(sql`select pg_current_xact_id()::text`, Effect.never))
        )
        yield* until(
          "an age",
          Effect.map(events.horizonAge, (age) => age > 0.5)
        )
        yield* Fiber.interrupt(open)
      }),
      { target }
    )
  })
)
