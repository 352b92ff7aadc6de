/**
 * The outbox between real processes: transactions that end out of order, or not at all, a consumer killed by SIGKILL again and again, and a
 * writer that is kept open. Every event is handled, none is passed, and `/health` says what holds the others back.
 */
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Fiber, Latch, Layer } from "effect"
import { toSqlPg } from "#core/postgres/ConnectionTarget.ts"
import { until } from "#support/Frame.ts"
import { startProcess } from "#support/FrameProcesses.ts"
import { freshDatabase } from "#support/Postgres.ts"
import { consumerName } from "#support/ProbeTables.ts"
import { make as makeRandom } from "#support/Random.ts"

const long = process.env["SIGNALBOX_TEST_LONG"] === "1"

/** Each round: a kill, a writer that stays open, a kill meanwhile, and one while its backlog is read. */
const rounds = long ? 5 : 1
const writers = long ? 6 : 3
/** How long a transaction stays open at most, and how long its writer then waits. Unit: milliseconds. */
const mostHeld = 60
const mostPause = long ? 60 : 150

/** How long anything may take that is no promise. Unit: seconds. Reason: a killed consumer's place is taken within 10. */
const patience = 40

const listening = { PROBE_EVENTS: "1" }

describe("the outbox", () => {
  it.live("has each event handled, passes none, and shows what holds it back, over kills of its consumer", () =>
    Effect.gen(function*() {
      const random = makeRandom()
      const { target, url } = yield* freshDatabase
      const processes = new Map<number, Effect.Success<ReturnType<typeof startProcess>>>()
      const begin = Effect.map(startProcess(url, listening), (process) => void processes.set(process.pid, process))
      yield* Effect.all([begin, begin], { concurrency: 2 })
      const sql = Context.get(yield* Layer.build(PgClient.layer({ ...toSqlPg(target), applicationName: "test", maxConnections: writers + 4 })), PgClient.PgClient)
      yield* until("it listens", Effect.map(sql`select 1 from core.event_cursor where consumer = ${consumerName}`, (rows) => rows.length === 1), patience)

      let next = 0
      const committed: Array<number> = []
      const taken = (least: number) => Effect.sleep(random.next() * least)
      const insert = (numbers: ReadonlyArray<number>) =>
        sql`with e as (insert into core.event (type, source, tenant_id, data)
            select 'probe.told', 'test', 7, jsonb_build_object('n', n) from unnest(${numbers}::int[]) n returning 1)
          select pg_notify('signalbox', 'event') from (select count(*) from e) c`
      let writing = true
      const writer = Effect.gen(function*() {
        while (writing) {
          const numbers = Array.from({ length: 1 + Math.floor(random.next() * 3) }, () => next++)
          const ends = random.next() < 0.9
          yield* sql.withTransaction(Effect.gen(function*() {
            for (const n of numbers) {
              yield* insert([n])
              yield* taken(mostHeld / numbers.length)
            }
            if (!ends) return yield* Effect.fail("rolled back" as const)
          })).pipe(Effect.andThen(Effect.sync(() => committed.push(...numbers))), Effect.catchIf((error) => error === "rolled back", () => Effect.void))
          yield* taken(mostPause)
        }
      })
      const writings = yield* Effect.forkChild(Effect.all(Array.from({ length: writers }, () => writer), { concurrency: "unbounded" }))

      // What lies at or before the cursor, can be seen, and was not handled: nothing, at any moment.
      let looks = 0
      const passed = new Set<number>()
      const watch = yield* Effect.forkChild(Effect.forever(Effect.gen(function*() {
        const rows = yield* sql<{ n: number }>`select (e.data->>'n')::int as n from core.event e, core.event_cursor c
          where c.consumer = ${consumerName} and e.type = 'probe.told' and (e.xid, e.id) <= (c.xid, c.id) and not exists (select 1 from probe.heard h where h.event = e.id)`
        for (const { n } of rows) passed.add(n)
        looks++
        yield* Effect.sleep(15)
      })))

      const heard = Effect.map(sql<{ heard: number }>`select count(*)::int as heard from probe.heard`, ([row]) => row!.heard)
      /** SIGKILL to the one that hears; a successor starts at once. */
      const kill = Effect.gen(function*() {
        yield* until("the successors are there", Effect.sync(() => processes.size >= 2), patience)
        const [reader] = yield* sql<{ pid: number }>`select pid from probe.heard order by at desc limit 1`
        const pid = processes.has(reader?.pid ?? 0) ? reader!.pid : [...processes.keys()][Math.floor(random.next() * processes.size)]!
        yield* processes.get(pid)!.kill("SIGKILL")
        processes.delete(pid)
        yield* Effect.forkScoped(begin)
      })
      const goesOn = Effect.gen(function*() {
        const before = yield* heard
        yield* until("it goes on", Effect.map(heard, (now) => now > before), patience)
      })
      const health = Effect.promise(async () => {
        const [base] = [...processes.values()].map(({ base }) => base)
        return await (await fetch(`${base}/health`)).json() as { readonly components: { readonly database: { readonly status: string; readonly detail?: string } }; readonly oldest_transaction_s: number }
      })

      for (let round = 0; round < rounds; round++) {
        yield* goesOn
        yield* kill
        yield* goesOn

        const held = next++
        const release = yield* Latch.make()
        const isHeld = yield* Latch.make()
        const keeper = yield* Effect.forkChild(sql.withTransaction(Effect.gen(function*() {
          yield* insert([held])
          yield* isHeld.open
          yield* release.await
        })))
        yield* isHeld.await
        yield* taken(1_000)
        yield* kill
        yield* until("health tells of what is held back", Effect.map(health, ({ components: { database }, oldest_transaction_s }) =>
          database.status === "degraded" && /open for \d+ s and holds back events/.test(database.detail ?? "") && oldest_transaction_s > 10), patience)
        // Committed long since, and not handed on: nothing behind the one that may still come.
        const [behind] = yield* sql<{ committed: number; heard: number }>`select count(*)::int as committed, count(h.event)::int as heard
          from core.event e left join probe.heard h on h.event = e.id
          where e.type = 'probe.told' and e.xid >= pg_snapshot_xmin(pg_current_snapshot())`
        assert.isAtLeast(behind!.committed, 50)
        assert.strictEqual(behind!.heard, 0, `seed ${random.seed}`)
        yield* release.open
        yield* Fiber.join(keeper)
        committed.push(held)
        yield* goesOn
        yield* kill
        yield* until("health is well again", Effect.map(health, ({ components: { database }, oldest_transaction_s }) => database.status === "ok" && oldest_transaction_s < 10), patience)
      }
      writing = false
      yield* Fiber.join(writings)
      const heardNumbers = Effect.map(sql<{ n: number }>`select distinct n from probe.heard order by n`, (rows) => rows.map(({ n }) => n))
      yield* until("all are handled", Effect.map(heardNumbers, ({ length }) => length >= committed.length), patience)
      // What a writer took back would come now.
      yield* Effect.sleep(300)
      yield* Fiber.interrupt(watch)
      assert.deepStrictEqual(yield* heardNumbers, committed.toSorted((a, b) => a - b), `seed ${random.seed}`)
      assert.deepStrictEqual([...passed], [], `seed ${random.seed}`)
      assert.isAbove(looks, 100)
      const [readers] = yield* sql<{ processes: number; twice: number }>`select count(distinct pid)::int as processes, (count(*) - count(distinct event))::int as twice from probe.heard`
      assert.isAtLeast(readers!.processes, 2)
      yield* Effect.logInfo(`${committed.length} events, ${readers!.twice} handled twice, ${readers!.processes} readers, ${rounds * 3} kills, ${looks} looks`)
    }).pipe(Effect.scoped), long ? 600_000 : 120_000)
})
