/** A test alarm works without any setting, goes to further targets, and completes the step of the set-up list. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { until } from "#support/Frame.ts"
import { startDispatcher } from "../Dispatcher.ts"

it.live(
  "a test alarm is delivered to the daemon itself and to further targets, without allowed senders",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { bot, ended, sink, sql, suite, url } = yield* startDispatcher({
          env: { SIGNALBOX_ALARM_ALLOWED_DOMAINS: "" }
        })
        const token = yield* suite.token
        const send = (body: unknown) => suite.call("POST", "/api/v1/comm/test-alarm", { token, body })
        const alone = yield* send({})
        assert.strictEqual(alone.status, 202, JSON.stringify(alone.json))
        assert.strictEqual((yield* ended(alone.json.run_id)).state, "delivered")
        yield* until(
          "the step is done",
          Effect.map(
            sql`select state from core.setup_step where name = 'test-alarm'`,
            ([row]) => row?.["state"] === "done"
          )
        )

        const more = yield* send({
          targets: [
            { channel: "WEBHOOK", target: `${url}/test` },
            { channel: "MESSENGER", target: "4711" }
          ],
          retries: { times: 2, every: 1 },
          text: "hello"
        })
        const run = yield* ended(more.json.run_id)
        assert.strictEqual(run.state, "delivered", JSON.stringify(run))
        assert.lengthOf(run.targets, 3)
        assert.isTrue(sink.requests.some(({ path }) => path === "/test"))
        assert.isTrue(bot.messages.some(({ text }) => text.includes("hello")))
        assert.match(more.json.subject, /;RETRY:2x1m$/)

        for (const body of [
          { targets: [{ channel: "CALL", target: "no number" }] },
          { targets: [{ channel: "WEBHOOK", target: "http://a;CALL+4930123456" }] },
          { targets: [{ channel: "FAX", target: "1" }] },
          { targets: Array(11).fill({ channel: "MESSENGER", target: "1" }) },
          { retries: { times: 0, every: 1 } },
          { unknown: 1 }
        ]) {
          const refused = yield* send(body)
          assert.strictEqual(refused.status, 422, JSON.stringify([body, refused.json]))
        }
      })
    ),
  120_000
)
