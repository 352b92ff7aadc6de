/**
 * kill -9 of dns-verifier during the sweep, as one process and as two processes that share the shards. No domain may
 * stay unchecked for longer than its interval plus the downtime. Uses the real executable; one test server stands for
 * all of DNS and records the queries.
 */
import { describe, it } from "@effect/vitest"
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer } from "effect"
import { realpathSync } from "node:fs"
import { expect } from "vitest"
import { toSqlPg } from "#core/postgres/ConnectionTarget.ts"
import { Answerer } from "#support/dns/Answerer.ts"
import { startFleet } from "#support/Fleet.ts"
import { until } from "#support/Frame.ts"
import { freePort } from "#support/peers/Loopback.ts"
import { freshDatabase, temporaryDirectory } from "#support/Postgres.ts"

/** `minute`: length of a minute of the checks, in milliseconds. `interval`: check interval of unverified domains. */
const minute = 1_000
const interval = 5 * minute

/**
 * Tolerance for a loaded machine. Unit: milliseconds. Reason: less than one interval, so that a skipped check is
 * detected.
 */
const slack = 0.8 * interval

/** Reason: several on each of the eight shards. More only cost processor time. */
const domains = process.env["SIGNALBOX_TEST_LONG"] === "1" ? 60 : 32

const layouts = [
  { name: "one process", units: ["a"], kills: ["a", "a"] },
  { name: "two processes", units: ["a", "b"], kills: ["a", "b"] }
] as const

// Both at once: each mostly waits.
describe.concurrent("kill -9 of dns-verifier", () => {
  for (const layout of layouts) {
    it.live(
      `${layout.name}: killed in the middle of the sweep, no domain is skipped`,
      () =>
        Effect.scoped(
          Effect.gen(function* () {
            const asked = new Map<string, Array<number>>()
            const answerer = new Answerer({
              ipv4: "203.0.113.9",
              ttl: 300,
              onQuestion: ({ at, name, recursive, type }) => {
                if (type === "A" && !recursive && /^d\d+\.test$/.test(name))
                  asked.set(name, [...(asked.get(name) ?? []), at])
              }
            })
            const port = yield* Effect.acquireRelease(
              Effect.promise(() => answerer.start()),
              () => Effect.promise(() => answerer.stop())
            )
            const database = yield* freshDatabase
            const sql = Context.get(
              yield* Layer.build(
                PgClient.layer({ ...toSqlPg(database.target), applicationName: "test", maxConnections: 1 })
              ),
              PgClient.PgClient
            )
            const dataDir = realpathSync(yield* temporaryDirectory("signalbox-sweep"))
            const units = yield* Effect.forEach(layout.units, (name) =>
              Effect.map(freePort, (own) => ({
                name,
                daemons: ["dns-verifier"],
                env: { SIGNALBOX_DNS_VERIFIER_PORT: String(own) }
              }))
            )
            const fleet = yield* startFleet({
              units,
              dataDir,
              env: {
                DATABASE_URL: database.url,
                SIGNALBOX_PLATFORM_IPV4: "192.0.2.10",
                SIGNALBOX_RESOLVERS: `127.0.0.1:${port}`,
                SIGNALBOX_DNS_PORT: String(port),
                SIGNALBOX_DNS_ALLOW_CIDRS: "127.0.0.0/8",
                SIGNALBOX_DNS_MINUTE_MS: String(minute)
              }
            })
            yield* until(
              "everything is ready",
              Effect.sync(() => fleet.units.every((unit) => unit.isReady())),
              60
            )
            yield* sql`insert into dns_verifier.domain (tenant_id, customer_id, name, proven, dns_status) select 1, 1, 'd' || n || '.test', true, 'manual' from generate_series(1, ${domains}::int) n`
            // A domain whose verification was interrupted by a kill.
            yield* sql`update dns_verifier.domain set dns_status = 'pending_verification' where name = 'd1.test'`
            const looks = (count: number) =>
              Effect.sync(() => asked.size === domains && [...asked.values()].every((times) => times.length >= count))
            yield* until("all are looked at", looks(2), 60)
            const shardOf = new Map(
              (yield* sql<{ name: string; shard: number }>`select name, shard from dns_verifier.domain`).map(
                ({ name, shard }) => [name, shard]
              )
            )
            const kills: Array<{ readonly at: number; readonly gone: number }> = []
            for (const name of layout.kills) {
              const unit = fleet.unit(name)
              const [ends, before] = [
                unit.ends.length,
                new Map([...asked].map(([name, times]) => [name, times.length]))
              ]
              // Kills the process in the middle of a round, while its queries are under way.
              const seen = answerer.asked
              yield* until(
                "questions are under way",
                Effect.sync(() => answerer.asked > seen),
                30
              )
              const at = performance.now()
              unit.kill()
              yield* until(
                "it is gone",
                Effect.sync(() => unit.ends.length > ends)
              )
              kills.push({ at, gone: performance.now() })
              yield* until(
                "it is back",
                Effect.sync(() => unit.isReady()),
                60
              )
              yield* until(
                "all are looked at again",
                Effect.sync(() => [...asked].every(([name, times]) => times.length >= before.get(name)! + 2)),
                60
              )
            }
            // Downtime of a shard lasts from a kill to the next check of any of its domains. placement.test.ts tests
            // how long that may be. Queries of the killed process may arrive until its end.
            const awayIn = (shard: number, from: number, to: number) =>
              kills
                .filter(({ at }) => at > from && at < to)
                .reduce((sum, { at, gone }) => {
                  const next = Math.min(
                    ...[...asked]
                      .filter(([name]) => shardOf.get(name) === shard)
                      .flatMap(([, times]) => times.filter((time) => time > gone))
                  )
                  return sum + next - at
                }, 0)
            const gaps = [...asked].flatMap(([name, times]) =>
              times.slice(1).map((at, index) => {
                const before = times[index]!
                return { whole: at - before, own: at - before - awayIn(shardOf.get(name)!, before, at) }
              })
            )
            const [whole, own] = [Math.max(...gaps.map(({ whole }) => whole)), Math.max(...gaps.map(({ own }) => own))]
            process.stdout.write(
              `sweep, ${layout.name}: longest time between two looks at a domain ${(whole / 1000).toFixed(1)} s, ${(own / 1000).toFixed(1)} s without that in which nobody had its shard; interval ${interval / 1000} s\n`
            )
            expect(own, fleet.tail(20)).toBeLessThan(interval + slack)
            expect(
              yield* sql`select count(*)::int as n from dns_verifier.domain where dns_status <> 'manual' or observed_at is null`
            ).toEqual([{ n: 0 }])
            const ends = yield* fleet.stop
            expect(
              ends.map(({ code }) => code),
              fleet.tail()
            ).toEqual(layout.units.map(() => 0))
          })
        ),
      180_000
    )
  }
})
