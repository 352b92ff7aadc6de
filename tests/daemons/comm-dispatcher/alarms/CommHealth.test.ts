/** Health and heartbeat, also of parts that are not configured or do not answer. */
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { startDispatcher } from "../Dispatcher.ts"
import { good } from "./CommBodies.ts"
import { base, heartbeatChat, manager, Started } from "./CommPlace.ts"

describe("health of the channels", () => {
  layer(Started.layer, { excludeTestServices: true })((it) => {
    it.effect("send a heartbeat for users only, and tell a service token why", () =>
      Effect.gen(function* () {
        const { bot, suite, token } = yield* Started
        const beat = (headers: Record<string, string>) => suite.call("POST", `${base}/heartbeat`, { headers })
        const count = () => bot.messages.filter(({ chatId }) => chatId === heartbeatChat).length
        const before = count()
        const refused = yield* beat({ "x-service-token": token })
        assert.deepStrictEqual([refused.status, refused.headers.get("content-type")], [403, "application/problem+json"])
        assert.match(refused.json.detail, /users only/)
        assert.isUndefined(refused.json.permission)
        assert.strictEqual((yield* beat({ "x-service-token": "sbx_wrong" })).status, 401)
        assert.strictEqual(count(), before)

        const sent = yield* beat(manager(1))
        assert.strictEqual(sent.status, 200, sent.text)
        const message = bot.messages.findLast(({ chatId }) => chatId === heartbeatChat)!
        assert.strictEqual(count(), before + 1)
        assert.deepInclude(sent.json, { sent: true, message_id: message.messageId })
        assert.strictEqual(sent.json.health.components.messenger.status, "ok")
        // With both credentials the caller counts as a user.
        assert.strictEqual((yield* beat({ ...manager(1), "x-service-token": token })).status, 200)

        bot.failNext("500")
        const failed = yield* beat(manager(1))
        assert.deepStrictEqual([failed.status, failed.json.sent, failed.json.message_id], [200, false, undefined])
        assert.match(failed.json.reason, /the server failed \(500\)/)
      })
    )

    it.effect("say how the channels are", () =>
      Effect.gen(function* () {
        const { bot, get } = yield* Started
        const answer = yield* get(`${base}/health`)
        assert.strictEqual(answer.status, 200)
        const { components, status } = answer.json
        assert.strictEqual(status, "ok", answer.text)
        assert.sameMembers(Object.keys(components), ["cache", "tts", "telephony", "messenger"])
        assert.deepInclude(components.cache, { status: "ok", kind: "postgres" })
        assert.isNumber(components.cache.latency_ms)
        assert.property(components.tts, "provider")
        assert.deepStrictEqual(components.telephony, { status: "unconfigured" })
        assert.deepStrictEqual(components.messenger, { status: "ok", bot: "double_bot" })
        const asked = () => bot.calls.filter(({ method }) => method === "getMe").length
        const before = asked()
        yield* Effect.forEach(Array.from({ length: 20 }), () => get(`${base}/health`), { concurrency: 10 })
        assert.isAtMost(asked() - before, 1)
      })
    )
  })

  it.live("say what is not configured, and that nothing is degraded by it", () =>
    Effect.gen(function* () {
      const { get, suite } = yield* startDispatcher({ env: { SIGNALBOX_MESSENGER_TOKEN: "" } })
      const { components, status } = (yield* get(`${base}/health`)).json
      assert.deepStrictEqual(
        [status, components.messenger, components.telephony],
        ["ok", { status: "unconfigured" }, { status: "unconfigured" }]
      )
      const beat = yield* suite.call("POST", `${base}/heartbeat`, { headers: manager(1) })
      assert.deepStrictEqual(
        [beat.status, beat.json.code, beat.json.settings],
        [409, "not_configured", ["SIGNALBOX_HEARTBEAT_CHAT_ID"]]
      )
      assert.strictEqual(beat.headers.get("content-type"), "application/problem+json")
      const answer = yield* suite.call("POST", `${base}/call`, { headers: manager(1), body: good["call"] })
      assert.strictEqual(answer.status, 202)
    }).pipe(Effect.scoped)
  )

  it.live("name the token when only that is missing, and the part that does not answer", () =>
    Effect.gen(function* () {
      const { suite } = yield* startDispatcher({
        env: { SIGNALBOX_MESSENGER_TOKEN: "", SIGNALBOX_HEARTBEAT_CHAT_ID: "1" }
      })
      const beat = yield* suite.call("POST", `${base}/heartbeat`, { headers: manager(1) })
      assert.deepStrictEqual([beat.status, beat.json.settings], [409, ["SIGNALBOX_MESSENGER_TOKEN"]])
      const wrong = yield* startDispatcher({
        env: { SIGNALBOX_MESSENGER_TOKEN: "1:wrong", SIGNALBOX_HEARTBEAT_CHAT_ID: "1" }
      })
      const { json, status } = yield* wrong.get(`${base}/health`)
      assert.deepStrictEqual(
        [status, json.status, json.components.messenger],
        [200, "degraded", { status: "degraded", detail: "getMe: the bot token is not accepted" }]
      )
      const failed = yield* wrong.suite.call("POST", `${base}/heartbeat`, { headers: manager(1) })
      assert.deepStrictEqual([failed.status, failed.json.sent, failed.json.health.status], [200, false, "degraded"])
      assert.notInclude(failed.text, "1:wrong")
    }).pipe(Effect.scoped)
  )
})
