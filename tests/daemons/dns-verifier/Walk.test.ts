/** Every operation of dns-verifier, walked as two tenants and with wrong input. */
import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { providerTenant } from "#core/auth/Caller.ts"
import { emitCustomer } from "#support/CustomerEvents.ts"
import { HetznerDouble } from "#support/dns/HetznerDouble.ts"
import { until } from "#support/Frame.ts"
import { fakeUser } from "#support/FakeUsers.ts"
import { badInput } from "#support/walk/BadInputWalk.ts"
import { rowSecurity } from "#support/walk/RowSecurity.ts"
import { tenancy } from "#support/walk/TenancyWalk.ts"
import type { Walk } from "#support/walk/Walk.ts"
import { startVerifier } from "./Verifier.ts"
import { domainCases } from "./walk/DomainCases.ts"
import { seeds } from "./walk/Seeds.ts"
import { zoneCases } from "./walk/ZoneCases.ts"

class Walked extends Context.Service<Walked, Walk>()("test/Walked") {
  static readonly layer = Layer.effect(
    Walked,
    Effect.gen(function* () {
      const hetzner = new HetznerDouble()
      const url = yield* Effect.acquireRelease(
        Effect.promise(() => hetzner.start()),
        () => Effect.promise(() => hetzner.stop())
      )
      const suite = yield* startVerifier({ env: { SIGNALBOX_HETZNER_DNS_URL: url, SIGNALBOX_DNS_AUTO_APPLY: "false" } })
      // Numbers that stand nowhere else in an answer: the walk takes them out before it compares.
      for (const [index, table] of ["domain", "record", "dns_provider"].entries()) {
        yield* suite.sql`select setval(pg_get_serial_sequence(${`dns_verifier.${table}`}, 'id'), ${700_000 + index * 10_000})`
      }
      yield* emitCustomer(suite, "dns_verifier", { customer_id: 700_001, tenant_id: 7 })
      const made = seeds(suite, hetzner)
      return {
        suite,
        schema: "dns_verifier",
        // How far the sweep has come.
        mayWrite: ["dns_verifier.sweep"],
        // Zones are read and plans applied after the answer.
        settled: until(
          "nothing is planned or applied",
          Effect.map(
            suite.sql`select 1 from pgboss.job where name in ('dns-verifier.plan', 'dns-verifier.apply') and state < 'completed' and start_after < now() + interval '1 second'`,
            ({ length }) => length === 0
          )
        ).pipe(Effect.orDie),
        cases: { ...domainCases(made), ...zoneCases(made) },
        a: fakeUser("A", 7),
        b: fakeUser("B", 8),
        powerless: fakeUser("P", 8, ""),
        platform: {
          name: "platform",
          tenant: providerTenant,
          headers: { "x-service-token": yield* suite.token },
          mark: "mark-of-platform"
        }
      }
    })
  )
}

const clean = (found: ReadonlyArray<string>) => assert.strictEqual(found.join("\n"), "")

describe("dns-verifier, walked", () => {
  layer(Walked.layer, { excludeTestServices: true })((it) => {
    it.effect("keeps tenants apart", () => Effect.map(Effect.flatMap(Walked, tenancy), clean), 180_000)
    it.effect(
      "keeps tenants apart in statements without WHERE",
      () =>
        Effect.map(
          Effect.flatMap(Walked, (walk) => rowSecurity(walk)),
          clean
        ),
      60_000
    )
    it.effect("refuses wrong input", () => Effect.map(Effect.flatMap(Walked, badInput), clean), 180_000)
  })
})
