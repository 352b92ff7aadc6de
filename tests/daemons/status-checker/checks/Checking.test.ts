/** The checker as a whole: what it does beside hostile targets, with another one, and without Postgres. */
import { it } from "@effect/vitest"
import { Effect, Exit, References, Scope } from "effect"
import type { Socket } from "node:net"
import { expect } from "vitest"
import * as AwayPostgres from "#support/AwayPostgres.ts"
import * as Door from "#support/Door.ts"
import { freshDatabase } from "#support/Postgres.ts"
import { untilWithin } from "#support/Within.ts"
import { brokenServices, startChecker } from "./CheckerSuite.ts"
import * as Targets from "./Targets.ts"

/** Unit: milliseconds. */
const interval = 1_000

/**
 * What a clock that measures and one that is read may differ by. Unit: milliseconds. Reason: each is cut to whole ones,
 * and the latter is kept in step.
 */
const twoClocks = 50

it.live(
  "hostile targets do not delay other checks",
  () =>
    Effect.gen(function* () {
      const talks = [
        () => {},
        (socket: Socket) => Targets.trickle(socket, "HTTP/1.1 200 OK\r\nx: y"),
        (socket: Socket) => {
          socket.write("HTTP/1.1 200 OK\r\n\r\n")
          Targets.endlessly(socket, "y".repeat(16_000))
        },
        (socket: Socket) => Targets.endlessly(socket, "\x16\x03\x03\x40\x00".repeat(1_000))
      ]
      const ports = yield* Effect.forEach(talks, (talk) => Targets.raw(talk))
      const good = yield* Targets.http((_request, response) => void response.end("well"))
      const hostile = ports.flatMap((port, index) => [
        {
          id: `http${index}`,
          checks: [
            { type: "http", url: `http://127.0.0.1:${port}/`, contains: "nothing" },
            { type: "http", url: `https://127.0.0.1:${port}/` }
          ]
        },
        { id: `tls${index}`, checks: [{ type: "tls", host: "127.0.0.1", port }] }
      ])
      const checker = yield* startChecker([
        ...hostile,
        { id: "good", checks: [{ type: "http", url: `http://127.0.0.1:${good}/` }] }
      ])
      yield* Effect.forEach(hostile, ({ id }) => checker.shows(id, "major_outage"))
      yield* checker.stores("good", "operational")
      const from = (yield* checker.states).get("good")!.checked_at
      const measured = yield* checker.measured("good")
      yield* Effect.sleep(5 * interval)
      yield* checker.checkedAgain("good")
      const passed = +(yield* checker.states).get("good")!.checked_at - +from
      // It is looked at often enough for few gaps, however long the others take: they would be most of the time.
      expect((yield* checker.measured("good")) - measured).toBeGreaterThan(0.5 * passed)
    }),
  120_000
)

it.live(
  "new components are checked soon, and of removed ones only the days stay",
  () =>
    Effect.gen(function* () {
      const port = yield* Targets.http((_request, response) => void response.end())
      const checks = [{ type: "tcp", host: "127.0.0.1", port }]
      const seldom = yield* startChecker([{ id: "old", checks }], { env: { CHECK_INTERVAL: "3600" } })
      yield* seldom.stores("old", "operational")
      seldom.file.write([
        { id: "old", checks },
        { id: "new", checks }
      ])
      yield* seldom.stores("new", "operational")

      const often = yield* startChecker([
        { id: "old", checks },
        { id: "stays", checks }
      ])
      yield* often.checkedAgain("old")
      yield* often.checkedAgain("old")
      often.file.write([{ id: "stays", checks }])
      yield* often.stores("old", undefined)
      expect(yield* often.measured("old")).toBeGreaterThan(0)
    }),
  120_000
)

it.live(
  "a requested check comes at once, and leaves the schedule as it is",
  () =>
    Effect.gen(function* () {
      const port = yield* Targets.http((_request, response) => void response.end())
      const checks = [{ type: "tcp", host: "127.0.0.1", port }]
      const checker = yield* startChecker([{ id: "web", checks }], { env: { CHECK_INTERVAL: "3600" } })
      yield* checker.stores("web", "operational")
      const before = (yield* checker.states).get("web")!.checked_at
      const token = yield* checker.token
      const answer = yield* checker.call("POST", "/api/v1/admin/checks", { token })
      expect(answer.status, answer.text).toBe(202)
      yield* untilWithin(
        20,
        "it is checked again",
        Effect.map(checker.states, (rows) => rows.get("web")!.checked_at > before)
      )
      expect(+(yield* checker.states).get("web")!.checked_at).toBeGreaterThanOrEqual(
        Date.parse(answer.json.requested_at) - twoClocks
      )
    }),
  120_000
)

it.live(
  "a component counts as under maintenance from its beginning to its end",
  () =>
    Effect.gen(function* () {
      const door = yield* Door.make({ port: yield* Targets.http((_request, response) => void response.end()) })
      const checker = yield* startChecker([
        { id: "web", checks: [{ type: "tcp", host: "127.0.0.1", port: door.port }] },
        { id: "mail", checks: [{ type: "tcp", host: "127.0.0.1", port: door.port }] }
      ])
      yield* checker.stores("web", "operational")
      yield* checker.sql`insert into status_checker.maintenance (id, title, title_en, components, starts_at, ends_at) values ('m', 't', 't', '{web}', now(), now() + interval '1 hour')`
      yield* checker.stores("web", "under_maintenance")
      yield* door.set("shut")
      yield* checker.stores("mail", "major_outage")
      yield* checker.checkedAgain("web")
      yield* checker.checkedAgain("web")
      const [day] = yield* checker.sql<{
        down: number
        work: number
      }>`select major_outage::float8 as down, under_maintenance::float8 as work from status_checker.component_day where component_id = 'web'`
      expect(day).toMatchObject({ down: 0 })
      expect(day!.work).toBeGreaterThan(0)
      yield* door.set("open")
      yield* checker.stores("mail", "operational")
      yield* checker.sql`update status_checker.maintenance set cancelled_at = now()`
      yield* checker.stores("web", "operational")
    }),
  120_000
)

it.live(
  "continues while Postgres is away, publishes results, and stores them when Postgres is back",
  () =>
    Effect.gen(function* () {
      const postgres = yield* AwayPostgres.make
      const door = yield* Door.make({ port: yield* Targets.http((_request, response) => void response.end()) })
      const checker = yield* startChecker(
        [{ id: "web", checks: [{ type: "tcp", host: "127.0.0.1", port: door.port }] }],
        { database: postgres.database }
      )
      yield* checker.stores("web", "operational")
      const { checked_at: from, since } = (yield* checker.states).get("web")!
      yield* postgres.away
      const awayAt = Date.now()
      yield* door.set("shut")
      yield* checker.shows("web", "major_outage")
      yield* door.set("open")
      yield* checker.shows("web", "operational")
      // Longer than the cluster leaves a place to who says nothing.
      while (Date.now() < awayAt + 14_000) yield* Effect.sleep(100)
      yield* door.set("shut")
      yield* checker.shows("web", "major_outage")
      yield* postgres.back
      yield* checker.stores("web", "major_outage")
      yield* checker.checkedAgain("web")
      // Read before the time of the last check, because the checks go on.
      const measured = yield* checker.measured("web")
      const { checked_at: until } = (yield* checker.states).get("web")!
      expect(+until - +from).toBeGreaterThan(14_000)
      // Nothing twice, and nothing lost but what a loaded machine left out between two rounds: without the time away it
      // would be a third.
      expect(measured).toBeLessThanOrEqual(+until - +since + twoClocks)
      expect(measured).toBeGreaterThan(0.5 * (+until - +since))
      const [day] = yield* checker.sql<{
        down: number
      }>`select sum(major_outage)::float8 as down from status_checker.component_day`
      expect(day!.down).toBeGreaterThan(1_000)
      // What fails on purpose is not to fill the run's output.
    }).pipe(Effect.provideService(References.MinimumLogLevel, "Fatal")),
  180_000
)

it.live(
  "continues the measurements of a stopped process without counting twice",
  () =>
    Effect.gen(function* () {
      const database = yield* freshDatabase
      const port = yield* Targets.http((_request, response) => void response.end())
      const declared = [{ id: "web", checks: [{ type: "tcp", host: "127.0.0.1", port }] }]
      const first = yield* Scope.make()
      const one = yield* Scope.provide(startChecker(declared, { database }), first)
      yield* one.stores("web", "operational")
      const { checked_at, since } = (yield* one.states).get("web")!
      const two = yield* startChecker(declared, { database })
      // One of two checks; the other shows what it finds.
      const standing = Effect.map(
        Effect.all([one.health, two.health]),
        (all) => all.filter((health) => health?.["checks_here"] === true).length
      )
      yield* two.checkedAgain("web")
      yield* untilWithin(
        20,
        "one of them checks",
        Effect.map(standing, (count) => count === 1)
      )
      yield* two.shows("web", "operational")
      yield* Scope.close(first, Exit.void)
      yield* two.checkedAgain("web")
      yield* two.checkedAgain("web")
      // Read before the time of the last check, because the checks go on.
      const measured = yield* two.measured("web")
      const after = (yield* two.states).get("web")!
      expect(after.since).toEqual(since)
      expect(+after.checked_at).toBeGreaterThan(+checked_at)
      expect(measured).toBeLessThanOrEqual(+after.checked_at - +since + twoClocks)
      expect(measured).toBeGreaterThan(0)
    }),
  120_000
)

it.live(
  "keeps the states of the file's components while the file is broken at start and the database has a component",
  () =>
    Effect.gen(function* () {
      const database = yield* freshDatabase
      const port = yield* Targets.http((_request, response) => void response.end())
      const checks = [{ type: "tcp", host: "127.0.0.1", port }]
      const first = yield* Scope.make()
      const one = yield* Scope.provide(startChecker([{ id: "web", checks }], { database }), first)
      yield* one.stores("web", "operational")
      yield* one.sql`insert into status_checker.component (id, name, name_en, checks)
        values ('own', 'Eigene', 'Own', ${JSON.stringify(checks)}::jsonb)`
      yield* Scope.close(first, Exit.void)
      const file = yield* brokenServices
      const two = yield* startChecker([], { database, env: { SERVICES_FILE: file } })
      yield* two.stores("own", "operational")
      yield* two.checkedAgain("own")
      expect((yield* two.states).get("web")?.status).toBe("operational")
    }).pipe(Effect.provideService(References.MinimumLogLevel, "Fatal")),
  120_000
)
