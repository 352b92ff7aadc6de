/**
 * The outbox between real processes: transactions that commit out of order or roll back, a consumer killed repeatedly,
 * and a writer that stays open. Every event must be handled and none skipped. `/health` must show what delays the
 * others.
 */
import { assert, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { hearingFleet, patience } from "#support/HearingFleet.ts"
import { client } from "#support/Frame.ts"
import { startWriters } from "#support/OutboxWriters.ts"
import { freshDatabase } from "#support/Postgres.ts"
import { consumerName } from "#support/ProbeTables.ts"
import { make as makeRandom } from "#support/Random.ts"
import { scopedWithin, untilWithin } from "#support/Within.ts"

const long = process.env["SIGNALBOX_TEST_LONG"] === "1"

/**
 * Rounds. Each kills the consumer before a writer that stays open, and while the delayed events are handled. The long
 * run also kills in between.
 */
const rounds = long ? 5 : 1

/**
 * `wholeWithin`: longest time of the test. `closedWithin`: longest time to close its resources. Unit: seconds. Reason:
 * a round takes 20 s on an idle machine.
 */
const wholeWithin = long ? 400 : 100
const closedWithin = 20

/** Number of events behind the open writer. Reason: at 2 ms or more each, a kill can hit the middle of them. */
const backlog = 50

const body = Effect.gen(function* () {
  const random = makeRandom()
  const seed = `seed ${random.seed}`
  const { target, url } = yield* freshDatabase
  // The connections are for the open writer, for checks, and for queries.
  const sql = yield* client(target)
  const writing = yield* client(target)
  const fleet = yield* hearingFleet(url)
  yield* untilWithin(
    patience,
    "it listens",
    Effect.map(sql`select 1 from core.event_cursor where consumer = ${consumerName}`, (rows) => rows.length === 1)
  )
  const writers = yield* startWriters(writing, 3, random)

  // Records events that are visible, at or before the cursor, and not handled. There must never be any.
  let looks = 0
  const passed = new Set<number>()
  const watch = yield* Effect.forkScoped(
    Effect.forever(
      Effect.gen(function* () {
        const rows = yield* sql<{ n: number }>`select (e.data->>'n')::int as n from core.event e, core.event_cursor c
      where c.consumer = ${consumerName} and e.type = 'probe.told' and (e.xid, e.id) <= (c.xid, c.id) and not exists (select 1 from probe.heard h where h.event = e.id)`
        for (const { n } of rows) passed.add(n)
        looks++
        yield* Effect.sleep(10)
      })
    )
  )

  /** Waits until a process other than `killed` handles new events. */
  const goesOn = (what: string, killed = 0) =>
    Effect.gen(function* () {
      const others = Effect.map(
        sql<{ heard: number }>`select count(*)::int as heard from probe.heard where pid <> ${killed}`,
        ([row]) => row!.heard
      )
      const before = yield* others
      yield* untilWithin(
        patience,
        what,
        Effect.map(others, (now) => now > before)
      )
    })
  const heldBack = sql<{
    committed: number
    heard: number
  }>`select count(*)::int as committed, count(h.event)::int as heard
    from core.event e left join probe.heard h on h.event = e.id
    where e.type = 'probe.told' and e.xid >= pg_snapshot_xmin(pg_current_snapshot())`

  let kills = 0
  const kill = Effect.tap(fleet.killReader, () => Effect.sync(() => kills++))
  for (let round = 0; round < rounds; round++) {
    yield* goesOn("events are handled")
    yield* kill
    const release = yield* writers.keepOpen
    if (long) {
      yield* Effect.sleep(random.between(0, 1_000))
      yield* kill
    }
    yield* untilWithin(
      patience,
      "health tells of what is held back",
      Effect.map(
        fleet.health,
        ({ components: { database }, oldest_transaction_s }) =>
          database.status === "degraded" &&
          /open for \d+ s and holds back events/.test(database.detail ?? "") &&
          oldest_transaction_s! > 10
      )
    )
    // These events were committed long ago but must not be delivered, because an event of the open transaction may
    // still precede them.
    yield* untilWithin(
      patience,
      `${backlog} events lie behind the one that is kept`,
      Effect.map(heldBack, ([behind]) => {
        assert.strictEqual(behind!.heard, 0, `handled behind a transaction that is still open, ${seed}`)
        return behind!.committed >= backlog
      })
    )
    yield* release
    yield* goesOn("what was held back is handled")
    const killed = yield* kill
    yield* goesOn("it is handled after a kill", killed)
    yield* untilWithin(
      patience,
      "health is well again",
      Effect.map(
        fleet.health,
        ({ components: { database }, oldest_transaction_s }) => database.status === "ok" && oldest_transaction_s! < 10
      )
    )
  }

  const committed = yield* writers.end
  assert.deepStrictEqual([...passed], [], `passed and not handled, ${seed}`)
  const heard = Effect.map(sql<{ n: number }>`select distinct n from probe.heard order by n`, (rows) =>
    rows.map(({ n }) => n)
  )
  yield* untilWithin(
    patience,
    "as many are handled as were committed",
    Effect.map(heard, ({ length }) => length >= committed.length)
  )
  // Waits for events of rolled back transactions, which must not appear.
  yield* Effect.sleep(300)
  yield* Fiber.interrupt(watch)
  assert.deepStrictEqual(yield* heard, committed, seed)
  assert.deepStrictEqual([...passed], [], seed)
  assert.isAbove(looks, 50)
  const [told] = yield* sql<{
    readers: number
    twice: number
  }>`select count(distinct pid)::int as readers, (count(*) - count(distinct event))::int as twice from probe.heard`
  assert.isAtLeast(told!.readers, 2)
  yield* Effect.logInfo(
    `${committed.length} events, ${told!.twice} handled twice, ${told!.readers} readers, ${kills} kills, ${looks} looks`
  )
})

it.live(
  "the outbox has each event handled, passes none, and shows what holds it back, over kills of its consumer",
  () => scopedWithin(wholeWithin, closedWithin, "the whole", body),
  (wholeWithin + closedWithin + 20) * 1_000
)
