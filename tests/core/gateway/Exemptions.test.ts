/** Exemptions: bans that overlap one have no effect, at listeners and in files, until it ends. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { until } from "#support/Frame.ts"
import { scratchFolder } from "#support/peers/Loopback.ts"
import { probeDaemon } from "#support/ProbeDaemon.ts"
import { startSuite, type TestSuite } from "#support/TestSuite.ts"

const emit = (suite: TestSuite, type: string, data: object) =>
  Effect.andThen(
    suite.sql`insert into core.event (type, source, data) values (${type}, 'test', ${suite.sql.json(data)})`,
    suite.sql`select pg_notify('signalbox', 'event')`
  )

const hence = (seconds: number) => new Date(Date.now() + seconds * 1_000)

it.live(
  "a ban that overlaps an exemption has no effect before the exemption ends, whatever comes first",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const folder = yield* scratchFolder("exemptions")
        const suite = yield* startSuite({
          daemons: [probeDaemon("one")],
          gateway: true,
          env: { SIGNALBOX_NETWORK_DIR: folder }
        })
        const lists = (...ranges: ReadonlyArray<string>) =>
          until(
            `the file lists ${ranges.join(", ")}`,
            Effect.sync(() => {
              const path = join(folder, "banned.txt")
              const text = existsSync(path) ? readFileSync(path, "utf8") : ""
              return text.split("\n").slice(1, -1).join() === ranges.join()
            }),
            60
          )
        const ban = (address: string) =>
          emit(suite, "security.ban.added", { address, rule: "test", until: hence(3_600) })
        const status = (from: string) =>
          Effect.map(suite.call("GET", "/one", { headers: { "x-forwarded-for": from } }), (answer) => answer.json?.code)
        const refuses = (from: string, refused: boolean) =>
          until(
            `${from} is ${refused ? "refused" : "admitted"}`,
            Effect.map(status(from), (code) => (code === "banned") === refused),
            60
          )

        yield* ban("198.51.100.7")
        yield* ban("203.0.113.0/24")
        yield* lists("198.51.100.7/32", "203.0.113.0/24")
        yield* refuses("198.51.100.7", true)
        yield* emit(suite, "security.exemption.added", { address: "198.51.100.0/28", until: hence(3_600) })
        yield* emit(suite, "security.exemption.added", { address: "203.0.113.9", until: hence(3_600) })
        yield* emit(suite, "security.exemption.added", { address: "nonsense", until: 7 })
        yield* lists()
        yield* refuses("198.51.100.7", false)
        // A later ban has no effect either.
        yield* ban("198.51.100.8")
        yield* ban("198.51.100.77")
        yield* lists("198.51.100.77/32")
        // An exemption ends by its time, at the next look, and by its event. The later event shortens it only now, so
        // that it lasts during all steps before.
        yield* emit(suite, "security.exemption.added", { address: "203.0.113.9", until: hence(5) })
        yield* lists("198.51.100.77/32", "203.0.113.0/24")
        yield* emit(suite, "security.exemption.ended", { address: "198.51.100.0/28" })
        yield* lists("198.51.100.7/32", "198.51.100.77/32", "198.51.100.8/32", "203.0.113.0/24")
        yield* refuses("198.51.100.8", true)
        const [rows] = yield* suite.sql<{ n: number }>`select count(*)::int as n from gateway.exemption`
        assert.strictEqual(rows!.n, 2)
      })
    ),
  180_000
)
