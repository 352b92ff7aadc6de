/**
 * States of domains with every kind of misconfiguration, over real name servers and a real resolver. Ten checks in a
 * row must give the same state, and a domain that is moved away for good must be detected.
 */
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { dnsVerifier } from "#daemons/dns-verifier/Daemon.ts"
import * as Inhabited from "#support/dns/Inhabited.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import { startSuite, type TestSuite } from "#support/TestSuite.ts"

class Place extends Context.Service<
  Place,
  { readonly suite: TestSuite; readonly dns: Effect.Success<typeof Inhabited.make> }
>()("test/Place") {}

const place = Layer.effect(
  Place,
  Effect.gen(function* () {
    const dns = yield* Inhabited.make
    const { dnsAllowCidrs, dnsPort, resolvers } = dns.world.config
    const suite = yield* startSuite({
      daemons: [dnsVerifier],
      env: {
        SIGNALBOX_PLATFORM_IPV4: Inhabited.platform,
        SIGNALBOX_RESOLVERS: resolvers.join(","),
        SIGNALBOX_DNS_ALLOW_CIDRS: dnsAllowCidrs.join(","),
        SIGNALBOX_DNS_PORT: String(dnsPort)
      }
    })
    // Disables the regular sweep, so that only the checks of this test change states.
    yield* suite.sql.unsafe(
      `alter table dns_verifier.domain alter column check_every set default 1440, alter column phase set default ${(Date.now() / 86_400_000 + 0.5) % 1}`
    )
    return { suite, dns }
  })
)

/** Domains with their stable state and one finding that explains it. */
const cases: ReadonlyArray<readonly [name: string, state: string, finding: string]> = [
  ["signed.test", "verified", "points_here"],
  ["poisoned.test", "verified", "points_here"],
  ["spoofed.test", "verified", "points_here"],
  ["truncated.test", "verified", "points_here"],
  ["slow.test", "verified", "points_here"],
  ["differ.test", "pending_verification", "authorities_disagree"],
  ["loop.test", "manual", "no_address"],
  ["bogus.test", "manual", "dnssec_bogus"],
  // Its name servers do not serve it, but the only configured resolver answers with the platform's address.
  ["lame.test", "verified", "lame_delegation"],
  ["servfail.test", "manual", "server_failure"],
  ["refused.test", "manual", "lame_delegation"],
  ["inner.test", "manual", "private_name_servers"],
  ["never-registered.test", "manual", "no_delegation"]
]

const rounds = 10

describePeers(["knot", "unbound"], "the states of domains", () => {
  layer(place, { excludeTestServices: true, timeout: 120_000 })((it) => {
    const call = (method: string, path: string, body?: unknown) =>
      Effect.gen(function* () {
        const { suite } = yield* Place
        const { json, status, text } = yield* suite.call(method, `/api/v1/domains${path}`, {
          of: "dns-verifier",
          token: yield* suite.token,
          ...(body === undefined ? {} : { body })
        })
        return status < 300 ? json : yield* Effect.die(new Error(`${method} ${path}: ${status} ${text}`))
      })
    const look = (id: number) => call("POST", `/${id}/verify`)

    it.effect(
      `stay as they are over ${rounds} looks, and say why`,
      () =>
        Effect.gen(function* () {
          yield* Effect.forEach(
            cases,
            ([name, state, finding]) =>
              Effect.gen(function* () {
                const { id } = yield* call("POST", "", { name, customer_id: 1 })
                const seen = new Set<string>()
                for (let round = 0; round < rounds; round++) {
                  const { dns_status, findings } = yield* look(id)
                  seen.add(dns_status)
                  assert.include(
                    findings.map(({ code }: { readonly code: string }) => code),
                    finding,
                    name
                  )
                }
                assert.deepStrictEqual([...seen], [state], name)
              }),
            { concurrency: 4 }
          )
        }),
      180_000
    )

    it.effect(
      "are an error when they lead elsewhere three looks in a row, no sooner, and well again when they lead back",
      () =>
        Effect.gen(function* () {
          const {
            dns: { first }
          } = yield* Place
          const { id } = yield* call("POST", "", { name: "other.test", customer_id: 1 })
          const own = `@ NS ns1\nns1 A ${first.address}`.split("\n")
          const states: Array<string> = []
          for (const address of [
            Inhabited.platform,
            "192.0.2.9",
            "192.0.2.9",
            Inhabited.platform,
            "192.0.2.9",
            "192.0.2.9",
            "192.0.2.9",
            Inhabited.platform
          ]) {
            yield* first.write("other.test", [...own, `@ A ${address}`])
            states.push((yield* look(id)).dns_status)
          }
          assert.deepStrictEqual(states, [
            "verified",
            "verified",
            "verified",
            "verified",
            "verified",
            "verified",
            "error",
            "verified"
          ])
          assert.strictEqual((yield* call("GET", `/${id}`)).status, "active")
        }),
      120_000
    )
  })
})
