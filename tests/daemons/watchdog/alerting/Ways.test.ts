/**
 * Postgres, messenger, mail and webhook away in every combination: an alert leaves by what is left, once per way. When
 * all is back, the incident is in the table, and no way has it twice.
 */
import { it } from "@effect/vitest"
import { Effect, References } from "effect"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect } from "vitest"
import { databaseKey } from "#daemons/watchdog/alerting/Exports.ts"
import { fakeUsers } from "#support/FakeUsers.ts"
import * as RestartablePostgres from "#support/RestartablePostgres.ts"
import { startSuite } from "#support/TestSuite.ts"
import { failing, reportingDaemon, well } from "./Reporter.ts"
import { atOnce, callsOf, eventually, receivers } from "./Watch.ts"
import { until } from "#support/Frame.ts"

const quietly = Effect.provideService(References.MinimumLogLevel, "Fatal")

const direct = ["mail", "messenger", "webhook"] as const
type Direct = (typeof direct)[number]

const isLong = process.env["SIGNALBOX_TEST_LONG"] === "1"

const subsets = <A>(all: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  all.reduce<ReadonlyArray<ReadonlyArray<A>>>((found, one) => found.flatMap((some) => [some, [...some, one]]), [[]])

it.live(
  "whatever is away, an alert and its recovery leave by what is left, once per way, and are in the table afterwards",
  () =>
    Effect.gen(function* () {
      const postgres = yield* RestartablePostgres.make(60)
      const all = yield* receivers
      const { alerts, daemon } = reportingDaemon()
      const suite = yield* startSuite({
        daemons: [daemon],
        verifier: fakeUsers,
        // Deliveries that failed are repeated after up to 300 of these seconds.
        env: { ...all.env, SIGNALBOX_WATCHDOG_SECOND_MS: "4", DATABASE_URL: postgres.url }
      })
      const { get, put } = callsOf(suite)
      yield* until(
        "rules",
        Effect.map(put("alert-rules", atOnce), ({ status }) => status === 200),
        30
      )

      /** What a way has about a key. */
      const about = (way: Direct, key: string) => all.told()[way].filter((subject) => subject.includes(`${key} is`))
      const both = (key: string) => [`ALERT (critical): ${key} is broken`, `OVER (critical): ${key} is broken`]

      let number = 0
      const keys: Array<string> = []
      /** Whether the opening has a message, in the table or in the file. */
      const isPlanned = (key: string, databaseAway: boolean) =>
        databaseAway
          ? Effect.sync(() => {
              const path = join(suite.env["SIGNALBOX_DATA_DIR"]!, "second-path", "watchdog-alerts.json")
              // The first outage writes the file.
              if (!existsSync(path)) return false
              const { incidents } = JSON.parse(readFileSync(path, "utf8")) as { incidents: ReadonlyArray<any> }
              return incidents.some((one) => one.key === key && one.toldAt !== null)
            })
          : Effect.map(get("alerts?limit=200"), ({ json }) =>
              (json?.items ?? []).some((one: any) => one.key === key && one.told_at !== null)
            )
      const inTable = (key: string) =>
        until(
          `${key} in the table`,
          Effect.map(get("alerts?limit=200"), ({ json }) => {
            const alert = json?.items?.find((one: any) => one.key === key)
            return alert?.state === "closed" && alert.told_at !== null
          }),
          60
        )
      for (const databaseAway of [false, true]) {
        // The long form has an outage of Postgres for each combination, the short one for all.
        if (databaseAway && !isLong) yield* postgres.stopAtOnce
        for (const away of subsets(direct)) {
          const key = `check-${number++}`
          keys.push(key)
          if (databaseAway && isLong) yield* postgres.stopAtOnce
          for (const way of away) yield* all.away[way]
          const left = direct.filter((way) => !away.includes(way))
          yield* alerts().tell(failing(key))
          yield* eventually(`${key} opened by ${left.join()}`, () => left.every((way) => about(way, key).length === 1))
          // The message of an alert that ends before it is planned is never sent.
          yield* until(`a message of ${key}`, isPlanned(key, databaseAway), 30)
          yield* alerts().tell(well(key))
          yield* eventually(`${key} over by ${left.join()}`, () => left.every((way) => about(way, key).length === 2))
          for (const way of away) expect(about(way, key)).toEqual([])
          if (databaseAway && isLong) yield* postgres.startAgain
          for (const way of away) yield* all.back[way]
          yield* eventually(`${key} by all ways`, () => direct.every((way) => about(way, key).length === 2), 60)
          if (!databaseAway || isLong) yield* inTable(key)
        }
      }
      if (!isLong) yield* postgres.startAgain
      yield* Effect.forEach(keys, inTable)

      // Every way has both messages of each alert, in order and once, and every delivery is recorded as sent.
      for (const key of keys)
        for (const way of direct) expect([key, way, about(way, key)]).toEqual([key, way, both(key)])
      // Beside them, each outage that lasted had one alert of its own.
      const { json } = yield* get("alerts?limit=200")
      const stored = json.items.filter(({ key }: { key: string }) => key !== databaseKey)
      expect(stored.map(({ key }: { key: string }) => key).toSorted()).toEqual(keys.toSorted())
      for (const { id } of stored) {
        yield* until(
          `deliveries of ${id}`,
          Effect.map(get(`alerts/${id}`), ({ json }) => {
            const states = json.messages.flatMap((one: any) => one.deliveries.map(({ state }: any) => state))
            return (
              json.messages.length === 2 && states.length === 8 && states.every((state: string) => state === "sent")
            )
          }),
          30
        )
      }
    }).pipe(quietly),
  300_000
)
