/** Walks over every operation of provisioning, as two tenants and with invalid input. */
import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { providerTenant } from "#core/auth/Caller.ts"
import { provisioning } from "#daemons/provisioning/Daemon.ts"
import { fakeUser, fakeUsers, firstOf } from "#support/FakeUsers.ts"
import { startSuite } from "#support/TestSuite.ts"
import { badInput } from "#support/walk/BadInputWalk.ts"
import { rowSecurity } from "#support/walk/RowSecurity.ts"
import { tenancy } from "#support/walk/TenancyWalk.ts"
import type { Walk } from "#support/walk/Walk.ts"
import * as MailSink from "#support/MailSink.ts"
import { cases, knownUser } from "./walk/Cases.ts"
import { deviceCases } from "./walk/DeviceCases.ts"

class Walked extends Context.Service<Walked, Walk>()("test/Walked") {
  static readonly layer = Layer.effect(
    Walked,
    Effect.gen(function* () {
      const sink = yield* MailSink.make()
      const suite = yield* startSuite({
        daemons: [provisioning],
        verifier: fakeUsers,
        env: { SIGNALBOX_PROVISIONING_SMTP_URL: `smtp://127.0.0.1:${sink.port}` }
      })
      const { sql } = suite
      // Ids that appear nowhere else in an answer, because the walk masks them before it compares.
      for (const [index, table] of ["package", "mapping", "subscription", "client_token"].entries())
        yield* sql`select setval(pg_get_serial_sequence(${`provisioning.${table}`}, 'id'), ${700_000 + index * 10_000})`
      // The daemons that issue credentials are not here: the services ask for none.
      yield* sql`update provisioning.service set config_template = config_template
        - 'provides_login_token' - 'provides_extension' - 'provides_app_password'`
      for (const [tenant, mark] of [
        [7, "mark-of-A-x7q4"],
        [8, "mark-of-B-x7q4"]
      ] as const) {
        yield* knownUser(suite, tenant, firstOf(tenant), mark)
        yield* sql`insert into provisioning.known_mailbox (address, tenant_id, user_id, is_default, state, version)
          values (${`${mark}@example.org`}, ${tenant}, 1, false, 'active', 1)`
        yield* sql`insert into provisioning.known_extension
            (extension_id, tenant_id, user_id, extension, domain, enabled, state, version)
          values (${tenant}, ${tenant}, 1, '1', ${`${mark}.test`}, true, 'active', 1)`
        yield* sql`insert into provisioning.tenant_plan (tenant_id, plan) values (${tenant}, ${mark})`
      }
      return {
        suite,
        schema: "provisioning",
        // Refused links are written to the audit log.
        mayWrite: ["core.audit"],
        cases: { ...cases(suite), ...deviceCases(suite) },
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

describe("provisioning, walked", () => {
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
