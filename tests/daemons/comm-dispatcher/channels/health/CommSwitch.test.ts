import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { describePeers } from "#support/peers/DescribePeers.ts"
import { temporaryDirectory } from "#support/Postgres.ts"
import { SwitchDouble } from "#support/switch/SwitchDouble.ts"
import { startDispatcher, until } from "../../Dispatcher.ts"

const base = "/api/v1/comm"
const phone = "+4915112345678"

/**
 * Longest wait for a step. Unit: milliseconds. Reason: an answer is cached for 5 s, and a hanging switch takes a
 * timeout.
 */
const patience = 20_000

describePeers(["espeak-ng", "ffmpeg"], "the comm endpoints with a telephone switch", () => {
  it.live(
    "call through it, with the options asked for; health sees it, and sees it go",
    () =>
      Effect.gen(function* () {
        const double = yield* SwitchDouble.make({ gateways: { trunk: "up", other: "up" } })
        const { ended, get, suite, token } = yield* startDispatcher({
          env: {
            SIGNALBOX_SWITCH_HOST: "127.0.0.1",
            SIGNALBOX_SWITCH_PORT: String(double.port),
            SIGNALBOX_SWITCH_PASSWORD: double.password,
            SIGNALBOX_SIP_GATEWAY: "trunk",
            SIGNALBOX_SPEECH_DIR: yield* temporaryDirectory()
          }
        })
        const telephony = Effect.map(get(`${base}/health`), ({ json, status }) => {
          assert.strictEqual(status, 200)
          return { whole: json.status, ...json.components.telephony }
        })
        const when = (status: string) =>
          until(`telephony ${status}`, async () => (await Effect.runPromise(telephony)).status === status, patience)

        yield* when("ok")
        const asked = () => double.commands.filter((command) => command === "api status").length
        const before = asked()
        yield* Effect.forEach(Array.from({ length: 10 }), () => telephony)
        assert.isAtMost(asked() - before, 1)

        const call = (body: object) =>
          Effect.gen(function* () {
            const answer = yield* suite.call("POST", `${base}/call`, {
              token,
              body: { target: phone, text: "Die Pumpe steht.", ...body }
            })
            assert.strictEqual(answer.status, 202, answer.text)
            assert.deepInclude(answer.json.targets[0], { channel: "call", target: phone, state: "pending" })
            return yield* ended(answer.json.run_id)
          })
        const first = yield* call({})
        assert.strictEqual(first.state, "delivered", JSON.stringify(first.targets))
        assert.strictEqual(double.calls[0]!.gateway, "trunk")
        // Besides the message, silence that waits for a key may be played.
        const spoken = (nth: number) => double.calls[nth]!.heard.filter((file) => file.endsWith(".wav"))
        assert.lengthOf(spoken(0), 2, "twice by default")
        assert.strictEqual(
          (yield* call({ gateway: "trunk", repeat: 1, pause_ms: 0, tts_provider: "local_fast" })).state,
          "delivered"
        )
        assert.strictEqual(double.calls[1]!.gateway, "trunk")
        assert.lengthOf(spoken(1), 1)

        yield* double.kill
        yield* when("degraded")
        const gone = yield* telephony
        assert.deepInclude(gone, { whole: "degraded", status: "degraded" })
        assert.isString(gone.detail)
        assert.notInclude(JSON.stringify(gone), double.password)
      }).pipe(Effect.scoped),
    120_000
  )

  it.live(
    "say that a switch which answers nothing does not, within their time",
    () =>
      Effect.gen(function* () {
        const double = yield* SwitchDouble.make()
        const { get } = yield* startDispatcher({
          env: {
            SIGNALBOX_SWITCH_HOST: "127.0.0.1",
            SIGNALBOX_SWITCH_PORT: String(double.port),
            SIGNALBOX_SWITCH_PASSWORD: double.password
          }
        })
        const health = async () => (await Effect.runPromise(get(`${base}/health`))).json
        // The client is authenticated, not only connected.
        yield* until("telephony ok", async () => (await health()).components.telephony.status === "ok", patience)
        yield* double.pause
        let last: any
        yield* until(
          "the switch is missed",
          async () => {
            const before = performance.now()
            last = await health()
            assert.isBelow(performance.now() - before, patience)
            return last.components.telephony.status !== "ok"
          },
          patience
        )
        const { components, status } = last
        assert.deepStrictEqual([status, components.telephony.status], ["degraded", "degraded"])
        assert.match(components.telephony.detail, /no answer within 3/)
        assert.deepStrictEqual(
          [components.cache.status, components.messenger.status],
          ["ok", "ok"],
          "the others are waited for no longer than they take"
        )
      }).pipe(Effect.scoped),
    120_000
  )
})
