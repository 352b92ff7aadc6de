/** Checks and alerts while Postgres is away: they go on in memory, and everything is stored when it is back. */
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import * as AwayPostgres from "#support/AwayPostgres.ts"
import * as Door from "#support/Door.ts"
import { host, startMonitoring } from "./MonitoringSuite.ts"

it.live(
  "an alert leaves without Postgres, once, and what happened meanwhile is stored afterwards",
  () =>
    Effect.gen(function* () {
      const postgres = yield* AwayPostgres.make
      const door = yield* Door.make({ port: 1 })
      const place = yield* startMonitoring({
        only: ["postgres", "connections", "transaction", "dead_rows", "memory", "clock"],
        database: postgres.database
      })
      yield* place.add({ name: "door", definition: { type: "tcp", host: "127.0.0.1", port: door.port }, timeout_s: 1 })
      for (const key of ["postgres", "postgres connections", "check door", `${host} memory`, `${host} clock`])
        yield* place.shows(key, "ok")
      expect(place.alerts.told).toEqual([])

      yield* postgres.away
      yield* door.set("shut")
      yield* place.until(
        "both are told without Postgres",
        Effect.sync(() => ["postgres", "check door"].every((key) => place.alerts.of(key).length > 0))
      )
      yield* postgres.back
      yield* place.until(
        "the end is stored",
        Effect.sync(() => place.alerts.of("postgres").at(-1) === "closed" || place.alerts.of("postgres").length === 1)
      )
      yield* place.shows("check door", "critical")
      yield* place.shows("postgres", "ok")
      // Told once without the database, and once to the database, which did not know it.
      yield* place.hears("check door", "without opened", "opened")
      const times = place.alerts.of("postgres").filter((what) => what === "without opened")
      expect(times).toHaveLength(1)
      // Checks that only Postgres can answer opened nothing.
      expect(place.alerts.of("postgres connections")).toEqual([])
      yield* door.set("open")
      yield* place.hears("check door", "without opened", "opened", "closed")
    }).pipe(Effect.scoped),
  400_000
)
