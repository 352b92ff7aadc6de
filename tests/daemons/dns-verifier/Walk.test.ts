/** Every operation of dns-verifier, walked as two tenants and with wrong input. */
import { Effect } from "effect"
import { emitCustomer } from "#support/CustomerEvents.ts"
import { HetznerDouble } from "#support/dns/HetznerDouble.ts"
import { until } from "#support/Frame.ts"
import { distinctIds, fakeCallers, walked } from "#support/walk/Walked.ts"
import { startVerifier } from "./Verifier.ts"
import { domainCases } from "./walk/DomainCases.ts"
import { seeds } from "./walk/Seeds.ts"
import { zoneCases } from "./walk/ZoneCases.ts"

walked(
  "dns-verifier",
  Effect.gen(function* () {
    const hetzner = new HetznerDouble()
    const url = yield* Effect.acquireRelease(
      Effect.promise(() => hetzner.start()),
      () => Effect.promise(() => hetzner.stop())
    )
    const suite = yield* startVerifier({ env: { SIGNALBOX_HETZNER_DNS_URL: url, SIGNALBOX_DNS_AUTO_APPLY: "false" } })
    yield* distinctIds(suite, "dns_verifier", ["domain.id", "record.id", "dns_provider.id"])
    // A look at a claim changes its row, so claims are due only after the operation that asks for a look.
    yield* suite.sql`alter table core.name_claim alter column next_look_at set default now() + interval '1 day'`
    yield* emitCustomer(suite, "dns_verifier", { customer_id: 700_001, tenant_id: 7 })
    const made = seeds(suite, hetzner)
    return {
      suite,
      schema: "dns_verifier",
      // How far the sweep has come.
      mayWrite: ["dns_verifier.sweep"],
      // After the answer zones are read, plans are applied, and claims are looked at.
      settled: until(
        "nothing is planned, applied or looked at",
        Effect.map(
          suite.sql`select 1 from pgboss.job where name in ('dns-verifier.plan', 'dns-verifier.apply')
              and state < 'completed' and start_after < now() + interval '1 second'
            union all select 1 from core.name_claim where state = 'pending' and next_look_at <= now()`,
          ({ length }) => length === 0
        ),
        30
      ).pipe(Effect.orDie),
      cases: { ...domainCases(made), ...zoneCases(made) },
      ...(yield* fakeCallers(suite))
    }
  }),
  180_000
)
