/** Walks over every operation of sip-config, as two tenants and with invalid input. */
import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { providerTenant } from "#core/auth/Caller.ts"
import { until } from "#support/Frame.ts"
import { fakeUser } from "#support/FakeUsers.ts"
import { badInput } from "#support/walk/BadInputWalk.ts"
import { rowSecurity } from "#support/walk/RowSecurity.ts"
import { tenancy } from "#support/walk/TenancyWalk.ts"
import type { Walk } from "#support/walk/Walk.ts"
import { startTelephony } from "./Telephony.ts"
import { callCases } from "./walk/CallCases.ts"
import { dataCases } from "./walk/DataCases.ts"
import { routeCases } from "./walk/RouteCases.ts"

class Walked extends Context.Service<Walked, Walk>()("test/Walked") {
  static readonly layer = Layer.effect(
    Walked,
    Effect.gen(function* () {
      const suite = yield* startTelephony()
      // Ids that appear nowhere else in an answer, because the walk masks them before it compares.
      for (const [index, table] of [
        "sip_domain",
        "extension",
        "trunk",
        "did",
        "line",
        "ring_group",
        "call_filter",
        "ivr_menu",
        "voicemail_box",
        "external_number",
        "customer",
        "customer_import"
      ].entries()) {
        yield* suite.sql`select setval(pg_get_serial_sequence(${`sip_config.${table}`}, 'id'), ${700_000 + index * 10_000})`
      }
      yield* suite.sql`select setval(pg_get_serial_sequence('sip_config.call', 'seq'), 900000)`
      return {
        suite,
        schema: "sip_config",
        // An import continues after its answer.
        settled: until(
          "all files are through",
          Effect.map(
            suite.sql`select 1 from sip_config.customer_import where state <> 'finished'`,
            ({ length }) => length === 0
          )
        ).pipe(Effect.orDie),
        cases: { ...dataCases(suite), ...callCases(suite), ...routeCases(suite) },
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

describe("sip-config, walked", () => {
  layer(Walked.layer, { excludeTestServices: true })((it) => {
    it.effect("keeps tenants apart", () => Effect.map(Effect.flatMap(Walked, tenancy), clean), 120_000)
    it.effect(
      "keeps them apart without a WHERE, too",
      () =>
        Effect.map(
          Effect.flatMap(Walked, (walk) => rowSecurity(walk)),
          clean
        ),
      60_000
    )
    it.effect("refuses wrong input", () => Effect.map(Effect.flatMap(Walked, badInput), clean), 120_000)
  })
})
