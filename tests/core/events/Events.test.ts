import { expect, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Latch, References, Schema } from "effect"
import { SqlClient } from "effect/sql"
import fc from "fast-check"
import * as Events from "#core/events/Events.ts"
import * as PostgresKeeper from "#core/postgres/PostgresKeeper.ts"
import { transaction } from "#core/sql/Sql.ts"
import { client, inFrame, run, until } from "#support/Frame.ts"
import { freshDatabase, temporaryDirectory } from "#support/Postgres.ts"
import { make as makeRandom } from "#support/Random.ts"

const Counted = Events.define("probe.counted", Schema.Struct({ n: Schema.Number }))
const Other = Events.define("other.thing", Schema.Struct({}))

const emit = (n: number) => Effect.flatMap(Events.Events, (events) => events.emit(Counted, "test", { n }))

const numbers = (seen: ReadonlyArray<Events.Event>) => seen.map((event) => (event.data as { n: number }).n)

const consume = (seen: Array<Events.Event>, options: Partial<Events.Consumer<never>> = {}) =>
  Effect.flatMap(Events.Events, (events) =>
    run(
      events.consumer({
        name: "test.reader",
        pattern: "probe.*",
        from: "beginning",
        handle: (event) => Effect.sync(() => seen.push(event)),
        ...options
      })
    )
  )

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
      const slow = yield* Effect.forkChild(
        transaction(
          Effect.gen(function* () {
            yield* emit(1)
            yield* sql`select pg_sleep(0.7)`
          })
        )
      )
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
      yield* Fiber.join(slow)
      yield* until(
        "both",
        Effect.sync(() => seen.length === 2),
        3
      )
      expect(early).toEqual([])
      expect(numbers(seen).toSorted()).toEqual([1, 2])
    })
  )
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
  40_000
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

it.live("delivery goes on after the listening connection is cut", () =>
  inFrame(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const seen: Array<Events.Event> = []
      yield* consume(seen)
      yield* emit(1)
      yield* until(
        "the first",
        Effect.sync(() => seen.length === 1)
      )
      const cut = yield* sql`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'frame listener' and datname = current_database()`
      expect(cut.length).toBe(1)
      // Written while no listener is connected: the listener finds it in the table after it reconnects.
      yield* emit(2)
      yield* until(
        "the second",
        Effect.sync(() => seen.length === 2),
        5
      )
      yield* emit(3)
      yield* until(
        "the third, by its wake-up",
        Effect.sync(() => seen.length === 3),
        1
      )
      expect(numbers(seen)).toEqual([1, 2, 3])
    })
  )
)

it.live(
  "delivery goes on after Postgres was killed, each event once",
  () =>
    Effect.gen(function* () {
      const keeper = yield* PostgresKeeper.make({ dataDir: yield* temporaryDirectory(), fsync: true })
      yield* Effect.forkScoped(keeper.keep)
      yield* inFrame(
        Effect.gen(function* () {
          const seen: Array<Events.Event> = []
          yield* consume(seen)
          yield* Effect.forEach([1, 2], emit)
          yield* until(
            "the first two",
            Effect.sync(() => seen.length === 2)
          )
          const { pid } = yield* keeper.current
          process.kill(pid, "SIGKILL")
          // Writes fail while the server is down, and a failed write leaves no event.
          yield* until("the third is written", Effect.isSuccess(emit(3)), 15)
          yield* until(
            "the third",
            Effect.sync(() => seen.length === 3),
            10
          )
          expect(numbers(seen)).toEqual([1, 2, 3])
        }),
        { target: keeper.target }
      )
    }).pipe(Effect.provideService(References.MinimumLogLevel, "Fatal")),
  60_000
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
        for (let n = 0; n < 150; n++) {
          yield* emit(n)
          yield* until(
            `event ${n}`,
            Effect.sync(() => seen.length === n + 1),
            3
          )
        }
        expect(numbers(seen)).toEqual(Array.from({ length: 150 }, (_, n) => n))
      })
    ),
  40_000
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
            5
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
  40_000
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
      // Each writer takes event ids and a transaction number now and ends later, a third of them by rollback. One stays
      // open for a second.
      const writer = (most: number, keepsOpen = false) =>
        Effect.gen(function* () {
          for (let round = 0; round < most; round++) {
            const own = Array.from({ length: 1 + Math.floor(random.next() * 3) }, () => n++)
            const write = sql`insert into core.event (type, source, data) select 'probe.counted', 'test', jsonb_build_object('n', x) from unnest(${own}::int[]) x`
            const end = Effect.andThen(
              sql`select pg_notify('signalbox', 'event')`,
              random.next() < 0.33 ? Effect.fail("rolled back") : Effect.void
            )
            const hold = keepsOpen && round === 2 ? 1_000 : random.next() * 40
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
      let lives = 0
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
  60_000
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
