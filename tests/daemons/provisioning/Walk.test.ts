/** Walks over every operation of provisioning, as two tenants and with invalid input. */
import { Effect } from "effect"
import { provisioning } from "#daemons/provisioning/Daemon.ts"
import { fakeUsers, firstOf } from "#support/FakeUsers.ts"
import { startSuite } from "#support/TestSuite.ts"
import * as MailSink from "#support/MailSink.ts"
import { distinctIds, fakeCallers, walked } from "#support/walk/Walked.ts"
import { cases, knownUser } from "./walk/Cases.ts"
import { deviceCases } from "./walk/DeviceCases.ts"

walked(
  "provisioning",
  Effect.gen(function* () {
    const sink = yield* MailSink.make()
    const suite = yield* startSuite({
      daemons: [provisioning],
      verifier: fakeUsers,
      env: { SIGNALBOX_PROVISIONING_SMTP_URL: `smtp://127.0.0.1:${sink.port}` }
    })
    const { sql } = suite
    yield* distinctIds(suite, "provisioning", ["package.id", "mapping.id", "subscription.id", "client_token.id"])
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
      ...(yield* fakeCallers(suite))
    }
  })
)
