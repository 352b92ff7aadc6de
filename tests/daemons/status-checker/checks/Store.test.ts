/** What is written, over a real database. */
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { expect } from "vitest"
import * as Migrations from "#core/sql/Migrations.ts"
import { type Batch, Measurements } from "#daemons/status-checker/checks/Measurements.ts"
import { dayLength, dayOf, noShare, oldestKept, type Share, sum } from "#daemons/status-checker/checks/Days.ts"
import * as Records from "#daemons/status-checker/checks/Store.ts"
import { statusChecker } from "#daemons/status-checker/Daemon.ts"
import { read as publicationRead } from "#daemons/status-checker/publication/Store.ts"
import { historyDays, responseStep } from "#daemons/status-checker/status/Model.ts"
import type { ComponentStatus } from "#daemons/status-checker/status/Vocabulary.ts"
import { inFrame } from "#support/Frame.ts"
import * as Random from "#support/Random.ts"
import { World } from "./CheckWorld.ts"

const hour = 3_600_000

const inDatabase = <A, E, R>(test: Effect.Effect<A, E, R>) =>
  inFrame(Effect.andThen(Migrations.run(statusChecker.migrations), test))

const days = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<
    Share & { readonly component_id: string; readonly day: string }
  >`select component_id, day::text as day, operational::float8, degraded_performance::float8,
    partial_outage::float8, major_outage::float8, under_maintenance::float8 from status_checker.component_day order by component_id, day`
  return rows.map(({ component_id, day, ...share }) => ({ id: component_id, day, share }))
})

const states = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(
    sql<{ id: string }>`select component_id as id from status_checker.component_state order by component_id`,
    (rows) => rows.map(({ id }) => id)
  )
)

const batch = (number: number, given: Partial<Batch>): Batch => ({
  number,
  states: [],
  credits: [],
  times: [],
  present: undefined,
  forgetBefore: undefined,
  ...given
})
const state = (componentId: string) =>
  ({
    componentId,
    status: "operational",
    seen: null,
    streak: 0,
    since: 1_000,
    checkedAt: 2_000,
    results: [{ kind: "tcp", outcome: "up", detail: 'it\'s "up"' }]
  }) as const

const taken = Effect.fnUntraced(function* (former?: string) {
  return yield* Records.claim(randomUUID(), former)
})

it.live(
  "keeps ninety days exact despite kills, writes with unknown outcome and outages of days",
  () =>
    inDatabase(
      Effect.gen(function* () {
        const random = Random.make()
        const begin = Math.floor((Date.now() - 100 * dayLength) / dayLength) * dayLength + 5 * hour
        const world = new World(3 * hour, begin)
        let writer = (yield* taken()).writer
        let awayUntil = 0
        const kinds = [
          "operational",
          "operational",
          "operational",
          "degraded_performance",
          "partial_outage",
          "major_outage",
          "under_maintenance",
          undefined
        ] as const
        const count = { kills: 0, doubts: 0, away: 0 }
        const write = Effect.fnUntraced(function* () {
          for (let offered = world.book.batch(); offered !== undefined; offered = world.book.batch()) {
            if (random.next() < 0.1) {
              count.doubts++
              expect(yield* Records.write(writer, offered)).toBe("written")
            }
            expect(yield* Records.write(writer, offered)).toBe("written")
            world.wrote(offered)
            if (offered.number < 2 || random.next() < 0.9) break
          }
        })
        while (world.wall < begin + 99 * dayLength) {
          world.pass(Math.floor(random.between(0.3, random.next() < 0.05 ? 20 : 1.7) * 3 * hour))
          world.check(kinds[Math.floor(random.between(0, kinds.length))])
          if (random.next() < 0.01) {
            count.away++
            awayUntil = world.wall + random.between(0, 4 * dayLength)
          }
          if (world.wall < awayUntil) continue
          yield* write()
          if (random.next() < 0.05) {
            count.kills++
            const claimed = yield* taken()
            writer = claimed.writer
            world.restart(claimed.states ?? [])
          }
        }
        // What waits behind a batch in doubt.
        yield* write()
        yield* write()
        const told = `seed ${random.seed}`
        expect(Math.min(count.kills, count.doubts), told).toBeGreaterThan(5)
        const found = new Map((yield* days).map(({ day, share }) => [day, share]))
        const oldest = oldestKept(world.wall, 90)
        for (let day = Date.parse(oldest); day <= world.wall; day += dayLength)
          expect(found.get(dayOf(day)) ?? noShare, `${told} ${dayOf(day)}`).toEqual(world.truth(day))
      })
    ),
  120_000
)

it.live("writes each batch once, and nothing for a superseded process", () =>
  inDatabase(
    Effect.gen(function* () {
      const day = "2026-01-31"
      const first = yield* taken()
      expect(first.states).toEqual([])
      const one = batch(1, {
        states: [state("web")],
        credits: [{ componentId: "web", day, ...noShare, operational: 1_000 }]
      })
      expect(yield* Records.write(first.writer, one)).toBe("written")
      expect(yield* Records.write(first.writer, one)).toBe("written")
      expect(yield* days).toEqual([{ id: "web", day, share: { ...noShare, operational: 1_000 } }])
      // Its place was only somewhere else for a while.
      expect(yield* taken(first.writer)).toEqual({ writer: first.writer, states: undefined })
      expect(yield* Records.look(first.writer)).toMatchObject({ isMine: true })

      const second = yield* taken()
      expect(second.states).toEqual([state("web")])
      const two = batch(2, { credits: [{ componentId: "web", day, ...noShare, operational: 500 }] })
      expect(yield* Records.write(first.writer, two)).toBe("lost")
      // Nor one whose number is the other's next by chance.
      expect(yield* Records.write(first.writer, batch(1, { credits: two.credits }))).toBe("lost")
      expect(yield* Records.look(first.writer)).toMatchObject({ isMine: false })
      expect(yield* taken(first.writer)).toMatchObject({ states: [state("web")] })
      expect(yield* days).toEqual([{ id: "web", day, share: { ...noShare, operational: 1_000 } }])
    })
  )
)

it.live("announces a changed component once, and no component that is operational from the start", () =>
  inDatabase(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { writer } = yield* taken()
      const down = (componentId: string) => ({ ...state(componentId), status: "major_outage", since: 3_000 }) as const
      yield* Records.write(writer, batch(1, { states: [state("web"), down("mail")] }))
      const two = batch(2, { states: [down("web"), down("mail")] })
      yield* Records.write(writer, two)
      yield* Records.write(writer, two)
      const told = yield* sql<{
        data: unknown
      }>`select data from core.event where type = 'status.component.changed' order by id`
      const since = new Date(3_000).toISOString()
      expect(told.map(({ data }) => data)).toEqual([
        { component_id: "mail", from: null, to: "major_outage", since },
        { component_id: "web", from: "operational", to: "major_outage", since }
      ])
    })
  )
)

it.live("limits a day to 24 hours, and deletes removed components and old days", () =>
  inDatabase(
    Effect.gen(function* () {
      const { writer } = yield* taken()
      const today = dayOf(Date.now())
      const kept = oldestKept(Date.now(), 90)
      const gone = dayOf(Date.parse(kept) - dayLength)
      const credit = (componentId: string, day: string, operational: number) => ({
        componentId,
        day,
        ...noShare,
        operational
      })
      yield* Records.write(
        writer,
        batch(1, {
          states: [state("web"), state("mail")],
          credits: [credit("web", today, dayLength - 10), credit("mail", kept, 5), credit("mail", gone, 5)]
        })
      )
      yield* Records.write(writer, batch(2, { credits: [credit("web", today, 500)], present: ["web"] }))
      expect(yield* states).toEqual(["web"])
      expect((yield* days).map(({ day, id, share }) => [id, day, sum(share)])).toEqual([
        ["mail", gone, 5],
        ["mail", kept, 5],
        ["web", today, dayLength]
      ])
      // A clock that is a year ahead is not the only one that is asked.
      yield* Records.write(writer, batch(3, { forgetBefore: dayOf(Date.now() + 365 * dayLength) }))
      expect((yield* days).map(({ day, id }) => [id, day])).toEqual([
        ["mail", kept],
        ["web", today]
      ])
    })
  )
)

it.live("returns active and upcoming maintenance", () =>
  inDatabase(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const now = Math.floor(Date.now() / 1_000) * 1_000
      const at = (hours: number) => new Date(now + hours * hour).toISOString()
      const plan = (
        id: string,
        from: number,
        to: number,
        cancelled: boolean
      ) => sql`insert into status_checker.maintenance (id, title, title_en, components, starts_at, ends_at, cancelled_at)
      values (${id}, 't', 't', ${["web"]}, ${at(from)}::timestamptz, ${at(to)}::timestamptz, ${cancelled ? at(-2) : null}::timestamptz)`
      yield* plan("past", -3, -1, false)
      yield* plan("now", -1, 1, false)
      yield* plan("cancelled", -1, 1, true)
      yield* plan("soon", 5, 6, false)
      yield* plan("far", 24 * 30, 24 * 31, false)
      const { windows } = yield* Records.look(randomUUID())
      expect(windows.map(({ startsAt }) => startsAt).toSorted()).toEqual([now - hour, now + 5 * hour])
      const under = (hours: number, id = "web") => Records.isUnderWay(windows, id, now + hours * hour)
      expect([-1.01, -1, 0.99, 1, 5, 6].map((hours) => under(hours))).toEqual([false, true, true, false, true, false])
      expect(under(0, "mail")).toBe(false)
    })
  )
)

it.live("adds up response times once, keeps them two days, and forgets those of removed components", () =>
  inDatabase(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { writer } = yield* taken()
      const slot = Math.floor(Date.now() / responseStep) * responseStep
      const credit = (componentId: string, took: number, at = slot) => ({
        componentId,
        slot: at,
        checks: 1,
        total: took,
        most: took
      })
      const old = slot - 3 * dayLength
      const first = batch(1, { times: [credit("web", 100), credit("mail", 5), credit("web", 7, old)] })
      for (const _ of ["first", "in doubt"]) expect(yield* Records.write(writer, first)).toBe("written")
      yield* Records.write(writer, batch(2, { times: [credit("web", 301)] }))
      const rows = Effect.map(
        sql<{
          id: string
          slot: Date
          checks: number
          total: number
          most: number
        }>`select component_id as id, slot, checks, total_ms::int as total, most_ms as most
          from status_checker.response_time order by id, slot`,
        (all) => all.map(({ checks, id, most, slot, total }) => [id, +slot, checks, total, most])
      )
      expect(yield* rows).toEqual([
        ["mail", slot, 1, 5, 5],
        ["web", old, 1, 7, 7],
        ["web", slot, 2, 401, 301]
      ])
      const shown = yield* publicationRead
      expect(shown.times).toEqual({
        mail: [{ at: new Date(slot).toISOString(), checks: 1, mean_ms: 5, most_ms: 5 }],
        web: [{ at: new Date(slot).toISOString(), checks: 2, mean_ms: 201, most_ms: 301 }]
      })
      yield* Records.write(writer, batch(3, { forgetBefore: oldestKept(Date.now(), historyDays) }))
      expect((yield* rows).map(([id, at]) => [id, at])).toEqual([
        ["mail", slot],
        ["web", slot]
      ])
      yield* Records.write(writer, batch(4, { present: ["mail"] }))
      expect((yield* rows).map(([id]) => id)).toEqual(["mail"])
    })
  )
)

it.live("stores a round with the maximum number of components", () =>
  inDatabase(
    Effect.gen(function* () {
      const { writer } = yield* taken()
      const book = new Measurements({ interval: 1_000, failuresBeforeDown: 1, successesBeforeUp: 1 })
      const ids = Array.from({ length: 500 }, (_, at) => `c${at}`)
      const noon = Math.floor(Date.now() / dayLength) * dayLength + 12 * hour
      const round = (second: number, found: ComponentStatus) => {
        book.keep(ids)
        book.take(
          ids.map((componentId) => ({
            componentId,
            found,
            at: { wall: noon + 1_000 * second, monotonic: 1_000 * second },
            results: state("web").results
          }))
        )
      }
      round(0, "operational")
      round(1, "major_outage")
      expect(yield* Records.write(writer, book.batch()!)).toBe("written")
      expect((yield* days).map(({ share }) => sum(share))).toEqual(ids.map(() => 1_000))
      expect((yield* taken()).states).toHaveLength(500)
    })
  )
)
