/** A domain that was just added is looked at, though nobody asks for it. */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { shards } from "#daemons/dns-verifier/verification/sweep/SweepShard.ts"
import * as HostileServer from "#support/dns/HostileServer.ts"
import { until } from "#support/Frame.ts"
import { as, callsOf, ipv4, ipv6, startVerifier } from "../../Verifier.ts"

it.live(
  "every five minutes at first, later at the domain's own phase",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const suite = yield* startVerifier()
        yield* suite.sql.unsafe("alter table dns_verifier.domain alter column check_every set default 5")
        // A domain that is added before the sweep begins comes with the next interval.
        yield* until(
          "the sweep has begun",
          Effect.map(suite.call("GET", "/health"), ({ json }) => json.components.sweep.shards === shards),
          30
        )
        const anna = callsOf(suite, as(91))
        for (const name of ["one.test", "two.test", "three.test", "four.test", "five.test", "six.test"]) {
          suite.dns.delegate(name, `ns1.${name}`)
          suite.dns.say(name, [
            HostileServer.soa(name),
            HostileServer.ns(name, `ns1.${name}`),
            HostileServer.a(name, ipv4),
            { type: "AAAA", name, data: ipv6, ttl: 300 }
          ])
          suite.dns.say(`www.${name}`, [HostileServer.a(`www.${name}`, ipv4)])
          yield* anna.domain(name)
        }
        const rows = suite.sql<{
          dns_status: string
          phase: number
        }>`select dns_status, phase from dns_verifier.domain order by id`
        // A round may just have passed some of them by; those come with the next interval.
        yield* until(
          "they are verified",
          Effect.map(rows, (all) => all.filter(({ dns_status }) => dns_status === "verified").length >= 2),
          30
        )
        // They came shortly after each other. A second is a three-hundredth of the interval.
        const phases = (yield* rows).map(({ phase }) => phase)
        expect(Math.max(...phases) - Math.min(...phases)).toBeGreaterThan(0.01)
      })
    ) as Effect.Effect<void>,
  120_000
)
