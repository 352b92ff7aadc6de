/**
 * A placed actor runs in exactly one process, also after failures of processes and database. Uses real processes and
 * signals.
 */
import type { PgClient } from "@effect/sql-pg"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { toUrl } from "#core/postgres/ConnectionTarget.ts"
import * as PostgresKeeper from "#core/postgres/PostgresKeeper.ts"
import { client, until } from "#support/Frame.ts"
import { tickEvery } from "#support/ProbeTables.ts"
import { startProcess } from "#support/FrameProcesses.ts"
import { freshDatabase, temporaryDirectory } from "#support/Postgres.ts"

interface Tick {
  readonly pid: number
  readonly at: number
}

const ticks = (sql: PgClient.PgClient) =>
  sql<Tick>`select pid, extract(epoch from at)::float8 * 1000 as at from probe.tick order by at`

/** Number of ticks that prove that the actor runs steadily. */
const steady = 20

/** Waits until one process other than `not` ticks steadily. Returns the process. Busy cores make ticks rarer. */
const ticksAgain = (sql: PgClient.PgClient, seconds: number, not = 0) =>
  Effect.gen(function* () {
    let owner = 0
    const look = sql<{ pid: number; last: number }>`select pid, count(*)::int as last from probe.tick
      where pid <> ${not} and at > clock_timestamp() - make_interval(secs => ${(steady * tickEvery * 3) / 1000}) group by pid`
    yield* until(
      "the actor ticks",
      Effect.map(
        Effect.orElseSucceed(look, () => []),
        (rows) => {
          owner = rows[0]?.pid ?? 0
          return rows.length === 1 && rows[0]!.last >= steady
        }
      ),
      seconds
    )
    return owner
  })

/** Time from `from` (epoch milliseconds) to the next tick of another process than `owner`. Unit: milliseconds. */
const movedAfter = (all: ReadonlyArray<Tick>, from: number, owner: number): number =>
  all.find(({ at, pid }) => pid !== owner && at > from)!.at - from

/** Longest time during which two processes ticked at once. Unit: milliseconds. */
const overlap = (all: ReadonlyArray<Tick>): number => {
  const lives = new Map<number, { readonly first: number; readonly last: number }>()
  for (const { at, pid } of all) lives.set(pid, { first: lives.get(pid)?.first ?? at, last: at })
  const spans = [...lives.values()].toSorted((a, b) => a.first - b.first)
  return Math.max(0, ...spans.slice(1).map((span, index) => spans[index]!.last - span.first))
}

const placed = { PROBE_PLACED: "1" }

it.live(
  "a placed actor runs in one process, and in another within 10 s of a SIGKILL",
  () =>
    Effect.gen(function* () {
      const { target, url } = yield* freshDatabase
      const sql = yield* client(target)
      const both = yield* Effect.all([startProcess(url, placed), startProcess(url, placed)], { concurrency: 2 })
      yield* ticksAgain(sql, 30)
      // While runners join the cluster, an actor may move once.
      yield* Effect.sleep(2500)
      yield* sql`delete from probe.tick`
      const owner = yield* ticksAgain(sql, 30)
      yield* Effect.sleep(1000)
      expect(new Set((yield* ticks(sql)).map((tick) => tick.pid))).toEqual(new Set([owner]))
      const killedAt = Date.now()
      yield* both.find((one) => one.pid === owner)!.kill("SIGKILL")
      yield* ticksAgain(sql, 30, owner)
      const all = yield* ticks(sql)
      const took = movedAfter(all, killedAt, owner)
      expect(took).toBeLessThan(10_000)
      expect(overlap(all)).toBe(0)
      yield* Effect.logInfo(`moved after SIGKILL within ${Math.round(took)} ms`)
    }),
  120_000
)

it.live(
  "a stopped process hands its actors over before its locks expire",
  () =>
    Effect.gen(function* () {
      const { target, url } = yield* freshDatabase
      const sql = yield* client(target)
      const both = yield* Effect.all([startProcess(url, placed), startProcess(url, placed)], { concurrency: 2 })
      yield* ticksAgain(sql, 30)
      yield* Effect.sleep(2500)
      yield* sql`delete from probe.tick`
      const owner = yield* ticksAgain(sql, 30)
      const stopped = both.find((one) => one.pid === owner)!
      const before = Date.now()
      const stop = yield* Effect.forkChild(stopped.kill("SIGTERM"))
      yield* ticksAgain(sql, 30, owner)
      const all = yield* ticks(sql)
      const took = movedAfter(all, before, owner)
      yield* Effect.logInfo(`handed over after SIGTERM within ${Math.round(took)} ms`)
      // Locks expire after 6 s.
      expect(took).toBeLessThan(5000)
      yield* until(
        "the stopped one is gone",
        Effect.sync(() => stop.pollUnsafe() !== undefined)
      )
      // Less than the 15 s that a stop waits for actors.
      expect(Date.now() - before).toBeLessThan(12_000)
      expect(overlap(yield* ticks(sql))).toBe(0)
    }),
  120_000
)

it.live(
  "placed actors are back within 15 s of a Postgres killed, still once each",
  () =>
    Effect.gen(function* () {
      const dataDir = yield* temporaryDirectory()
      const keeper = yield* PostgresKeeper.make({ dataDir, fsync: true })
      yield* Effect.forkScoped(keeper.keep)
      const url = toUrl(keeper.target)
      const sql = yield* client(keeper.target)
      const both = yield* Effect.all([startProcess(url, placed), startProcess(url, placed)], { concurrency: 2 })
      yield* ticksAgain(sql, 30)
      for (const round of [1, 2]) {
        // Varies the moment of the kill relative to the cluster's rounds.
        yield* Effect.sleep(2000 + round * 370)
        yield* sql`delete from probe.tick`
        const { pid } = yield* keeper.current
        const killedAt = performance.now()
        process.kill(pid, "SIGKILL")
        yield* until(
          "it is back",
          Effect.map(keeper.restarts, (restarts) => restarts === round)
        )
        // The locks ended with the server. Their holder stops, and some process takes them again.
        yield* Effect.sleep(3000)
        yield* ticksAgain(sql, 15)
        const took = performance.now() - killedAt
        expect(took).toBeLessThan(15_000)
        yield* Effect.logInfo(`back after a killed Postgres within ${Math.round(took)} ms`)
        const all = yield* ticks(sql)
        yield* Effect.logInfo(`two at once for ${Math.round(overlap(all))} ms, ticks ${all.length}`)
        expect(overlap(all)).toBeLessThan(1000)
      }
      expect(both.map((one) => one.child.exitCode)).toEqual([null, null])
    }),
  120_000
)
