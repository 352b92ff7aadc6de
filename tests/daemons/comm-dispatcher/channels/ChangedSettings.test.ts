/** Messenger, relay and switch change while comm-dispatcher runs: stored by another process, without a restart. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { channel } from "#core/events/Wake.ts"
import { topic } from "#core/settings/SettingStore.ts"
import { BotApiDouble } from "#support/BotApiDouble.ts"
import { holdsAfter, until } from "#support/Frame.ts"
import { SwitchDouble } from "#support/switch/SwitchDouble.ts"
import { startDispatcher } from "../Dispatcher.ts"

/** Stores settings like another process, and announces them. Secrets without their envelope are for tests only. */
const store = (sql: SqlClient.SqlClient, values: Readonly<Record<string, string>>) =>
  Effect.andThen(
    Effect.forEach(
      Object.entries(values),
      ([name, value]) => sql`insert into core.stored_setting (name, value, changed_by)
        values (${name}, ${value}, 'operator') on conflict (name) do update set value = excluded.value`
    ),
    sql`select pg_notify(${channel}, ${topic})`
  )

/** Longest time until a change holds. Unit: milliseconds. Source: DESIGN §7. */
const limit = 1_000

it.live(
  "another bot and another switch hold within a second",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { alarm, sql, suite } = yield* startDispatcher({
          env: { SIGNALBOX_MESSENGER_TOKEN: "", SIGNALBOX_MESSENGER_URL: "", SIGNALBOX_ALARM_COOLDOWN: "0" }
        })
        const token = yield* suite.token
        const components = Effect.map(suite.call("GET", "/health", { token }), ({ json }) => json.components)
        assert.strictEqual((yield* components).messenger.status, "unconfigured")
        assert.strictEqual((yield* components).telephony.status, "unconfigured")
        assert.strictEqual((yield* alarm("INFO:MESSENGER+4711")).state, "failed")

        for (const secret of ["1:first", "2:second"]) {
          const bot = new BotApiDouble({ token: secret })
          const url = yield* Effect.acquireRelease(
            Effect.promise(() => bot.start()),
            () => Effect.promise(() => bot.stop())
          )
          yield* store(sql, { SIGNALBOX_MESSENGER_URL: url, SIGNALBOX_MESSENGER_TOKEN: secret })
          yield* until(
            `the bot ${secret} sends`,
            Effect.map(alarm("INFO:MESSENGER+4711"), ({ state }) => state === "delivered" && bot.messages.length > 0)
          )
        }

        for (const password of ["first-password", "second-password"]) {
          const double = yield* SwitchDouble.make({ password })
          yield* store(sql, {
            SIGNALBOX_SWITCH_HOST: "127.0.0.1",
            SIGNALBOX_SWITCH_PORT: String(double.port),
            SIGNALBOX_SWITCH_PASSWORD: password
          })
          yield* until(
            "the switch is well",
            Effect.map(components, ({ telephony }) => telephony.status === "ok")
          )
        }
        // A wrong password is noticed, and the right one is tried at once.
        yield* store(sql, { SIGNALBOX_SWITCH_PASSWORD: "wrong-password" })
        yield* until(
          "the switch refuses",
          Effect.map(components, ({ telephony }) => /password/.test(telephony.detail ?? ""))
        )
        yield* store(sql, { SIGNALBOX_SWITCH_PASSWORD: "second-password" })
        yield* holdsAfter(
          limit,
          "the switch is well again",
          Effect.map(components, ({ telephony }) => telephony.status === "ok")
        )
      })
    ),
  120_000
)
