/**
 * kill -9 of status-checker while it checks. Two processes run, and one of them checks; after a kill the other takes
 * over. The recorded time must equal the measured time over the whole run. The target is a test server that records its
 * requests. Records.test.ts tests the sums to the millisecond.
 */
import { it } from "@effect/vitest"
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer } from "effect"
import { realpathSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { expect } from "vitest"
import { toSqlPg } from "#core/postgres/ConnectionTarget.ts"
import { startFleet } from "#support/Fleet.ts"
import { until } from "#support/Frame.ts"
import { freePort } from "#support/peers/Loopback.ts"
import { freshDatabase, temporaryDirectory } from "#support/Postgres.ts"
import * as Random from "#support/Random.ts"

/**
 * Check interval. Unit: milliseconds. Reason: a check fails when the target has not answered within 0.7 intervals, and
 * this target may be late on a busy machine.
 */
const interval = 3_000
const reach = 1.5 * interval

const kills = 3

/**
 * Largest difference between a monotonic clock and the wall clock. Unit: milliseconds. Reason: both are rounded, and
 * the wall clock is adjusted.
 */
const twoClocks = 50

/**
 * Tolerance of the recorded time. Each kill may add or lose the time of one check, because a check may be interrupted
 * before it is written. Unit: milliseconds.
 */
const slack = (kills + 1) * reach + 500

it.live(
  "killed again and again, it counts no time twice and loses none that was written",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const random = Random.make()
        const asked: Array<number> = []
        const port = yield* Effect.acquireRelease(
          Effect.promise(
            () =>
              new Promise<ReturnType<typeof createServer>>((resolve) => {
                const server = createServer((_request, response) => {
                  asked.push(Date.now())
                  response.end("well")
                })
                server.listen(0, "127.0.0.1", () => resolve(server))
              })
          ),
          (server) =>
            Effect.sync(() => {
              server.closeAllConnections()
              server.close()
            })
        ).pipe(Effect.map((server) => (server.address() as AddressInfo).port))
        const database = yield* freshDatabase
        const sql = Context.get(
          yield* Layer.build(
            PgClient.layer({ ...toSqlPg(database.target), applicationName: "test", maxConnections: 1 })
          ),
          PgClient.PgClient
        )
        const dataDir = realpathSync(yield* temporaryDirectory("signalbox-status"))
        const services = join(dataDir, "services.json")
        writeFileSync(
          services,
          JSON.stringify([{ id: "web", name: "Web", checks: [{ type: "http", url: `http://127.0.0.1:${port}/` }] }])
        )
        const fleet = yield* startFleet({
          units: yield* Effect.forEach(["a", "b"], (name) =>
            Effect.map(freePort, (own) => ({
              name,
              daemons: ["status-checker"],
              env: { SIGNALBOX_STATUS_CHECKER_PORT: String(own) }
            }))
          ),
          dataDir,
          env: { DATABASE_URL: database.url, SERVICES_FILE: services, CHECK_INTERVAL: String(interval / 1_000) }
        })
        yield* until(
          "everything is ready",
          Effect.sync(() => fleet.units.every((unit) => unit.isReady())),
          60
        )
        const look = Effect.map(
          sql<{ since: Date; checked_at: Date; measured: number; operational: number }>`select since, checked_at,
        (select sum(operational + degraded_performance + partial_outage + major_outage + under_maintenance)::float8 from status_checker.component_day) as measured,
        (select sum(operational)::float8 from status_checker.component_day) as operational from status_checker.component_state where component_id = 'web'`,
          ([row]) => row
        )
        /** Process that performs the checks, according to its `/health`. */
        const checker = Effect.promise(async () => {
          for (const unit of fleet.units) {
            const address = unit.addresses()["status-checker"]
            const health =
              address === undefined
                ? undefined
                : ((await fetch(`${address}/health`).then(
                    (answer) => answer.json(),
                    () => undefined
                  )) as { readonly components?: { readonly checks?: { readonly checks_here?: boolean } } } | undefined)
            if (health?.components?.checks?.checks_here === true) return unit
          }
          return undefined
        })
        yield* until(
          "it is checked",
          Effect.map(look, (row) => row !== undefined),
          60
        )
        for (let kill = 0; kill < kills; kill++) {
          const from = asked.length
          yield* until(
            "several checks are written",
            Effect.map(look, (row) => asked.length >= from + 3 && row!.checked_at.getTime() > asked[from]!),
            60
          )
          yield* Effect.sleep(random.between(0, interval))
          let unit = yield* checker
          while (unit === undefined) unit = yield* Effect.andThen(Effect.sleep(50), checker)
          unit.kill()
        }
        const from = asked.length
        yield* until(
          "it is checked after the last kill",
          Effect.map(look, (row) => asked.length >= from + 3 && row!.checked_at.getTime() > asked[from]!),
          60
        )

        const row = (yield* look)!
        const times = asked.filter((at) => at <= row.checked_at.getTime() + interval / 2)
        const stood = times.slice(1).reduce((total, at, index) => total + Math.min(at - times[index]!, reach), 0)
        const told = `seed ${random.seed}: ${row.measured} ms credited, ${stood} ms between checks; ${fleet.tail(5)}`
        // Every check succeeded, so all recorded time is operational.
        expect(row.operational, told).toBe(row.measured)
        expect(row.measured, told).toBeLessThanOrEqual(row.checked_at.getTime() - row.since.getTime() + twoClocks)
        expect(Math.abs(row.measured - stood), told).toBeLessThan(slack)
        expect(fleet.units.reduce((total, unit) => total + unit.ends.length, 0)).toBe(kills)
      })
    ),
  360_000
)
