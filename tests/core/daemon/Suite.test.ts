/** What a start refuses, and how the metrics name the process. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { withClient } from "#core/postgres/Bootstrap.ts"
import { alarmBridge } from "#daemons/alarm-bridge/Daemon.ts"
import { dnsVerifier } from "#daemons/dns-verifier/Daemon.ts"
import { migratedDatabase } from "#support/Postgres.ts"
import { startSuite } from "#support/TestSuite.ts"

it.live("a daemon does not start over a newer schema of another daemon", () =>
  Effect.gen(function* () {
    const database = yield* migratedDatabase([alarmBridge.migrations, dnsVerifier.migrations])
    const start = startSuite({
      daemons: [alarmBridge],
      fleet: [alarmBridge, dnsVerifier],
      database,
      env: { SIGNALBOX_ALARM_SMTP_PORT: "0" }
    })
    yield* Effect.scoped(start)
    yield* withClient(
      database.target,
      (sql) => sql`insert into dns_verifier.migration (id, name, version) values (999, 'split zones', '9.0.0')`
    )
    const error = yield* Effect.flip(Effect.scoped(start))
    assert.strictEqual(error._tag, "SchemaTooNew")
    assert.match(error.message, /schema dns_verifier \(migration 999, split zones\)\. Start version 9\.0\.0 again/)
  })
)

it.live("metrics of a process name its daemon, or the suite of several", () =>
  Effect.gen(function* () {
    const named = (daemons: Parameters<typeof startSuite>[0]["daemons"]) =>
      Effect.gen(function* () {
        const { call, token } = yield* startSuite({ daemons, env: { SIGNALBOX_ALARM_SMTP_PORT: "0" } })
        const { text } = yield* call("GET", "/metrics", { token: yield* token, of: "alarm-bridge" })
        return /^signalbox_build_info\{daemon="([^"]*)"/m.exec(text)?.[1]
      }).pipe(Effect.scoped)
    assert.deepStrictEqual(
      [yield* named([alarmBridge]), yield* named([alarmBridge, dnsVerifier])],
      ["alarm-bridge", "suite"]
    )
  })
)
