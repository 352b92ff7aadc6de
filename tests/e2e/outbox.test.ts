/**
 * The outbox between real processes: transactions that end out of order, or not at all, a consumer killed by SIGKILL
 * again and again, and a writer that is kept open. Every event is handled, none is passed, and `/health` says what
 * holds the others back.
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
 * Each round: a kill before a writer that stays open, and one while what it held back is read; for long also one
 * meanwhile.
 */
const rounds = long ? 5 : 1

/** Bounds of the whole, and of closing what it opened. Unit: seconds. Reason: a round takes 20 on a free machine. */
const wholeWithin = long ? 400 : 100
const closedWithin = 20

/** Events behind the kept writer. Unit: events. Reason: enough to be killed in the middle of, at 2 ms and more each. */
const backlog = 50

const body = Effect.gen(function* () {
  const random = makeRandom()
  const seed = `seed ${random.seed}`
  const { target, url } = yield* freshDatabase
  // One kept open, one that looks, one that asks.
  const sql = yield* client(target)
  const writing = yield* client(target)
  const fleet = yield* hearingFleet(url)
  yield* untilWithin(
    patience,
    "it listens",
    Effect.map(sql`select 1 from core.event_cursor where consumer = ${consumerName}`, (rows) => rows.length === 1)
  )
  const writers = yield* startWriters(writing, 3, random)

  // What lies at or before the cursor, can be seen, and was not handled: nothing, at any moment.
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

  /** Somebody else than `killed` handles what was not handled yet. */
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
    // Committed long since, and not handed on: nothing behind the one that may still come.
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
  // What a writer took back would come now.
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
