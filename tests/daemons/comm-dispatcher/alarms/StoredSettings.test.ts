/** Settings that change while comm-dispatcher runs: who may raise alarms, and which private networks webhooks reach. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { holdsAfter, until } from "#support/Frame.ts"
import { startDispatcher } from "../Dispatcher.ts"

/** Stores a setting like another process. */
const store = (sql: SqlClient.SqlClient, name: string, value: string | null) =>
  sql`insert into core.stored_setting (name, value, changed_by) values (${name}, ${value}, 'operator')
    on conflict (name) do update set value = excluded.value`

it.live("allowed senders and webhook networks hold within a second, without a restart", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { alarm, sink, sql, suite, trigger, url } = yield* startDispatcher({
        env: { SIGNALBOX_ALARM_ALLOWED_DOMAINS: "", SIGNALBOX_WEBHOOK_ALLOW_CIDRS: "", SIGNALBOX_ALARM_COOLDOWN: "0" }
      })
      const health = Effect.map(
        suite.call("GET", "/health", { token: yield* suite.token }),
        ({ json }) => json.components.senders.status
      )
      const stateNow = Effect.map(trigger(`ALERT:WEBHOOK+${url}/one`), ({ json }) => json.state)
      assert.strictEqual(yield* stateNow, "rejected")
      assert.strictEqual(yield* health, "unconfigured")

      yield* store(sql, "SIGNALBOX_ALARM_ALLOWED_DOMAINS", "ok.test")
      yield* holdsAfter(
        1_000,
        "the sender is allowed",
        Effect.map(stateNow, (state) => state !== "rejected")
      )
      assert.strictEqual(yield* health, "ok")
      assert.strictEqual((yield* alarm(`ALERT:WEBHOOK+${url}/two`)).state, "failed")
      assert.isFalse(sink.requests.some(({ path }) => path === "/two"))

      yield* store(sql, "SIGNALBOX_WEBHOOK_ALLOW_CIDRS", "127.0.0.0/8")
      yield* until(
        "the network is allowed",
        Effect.map(alarm(`ALERT:WEBHOOK+${url}/three`), ({ state }) => state === "delivered")
      )
      yield* store(sql, "SIGNALBOX_ALARM_ALLOWED_DOMAINS", null)
      yield* until(
        "the sender is refused",
        Effect.map(stateNow, (state) => state === "rejected")
      )
    })
  )
)
