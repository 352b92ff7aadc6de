/** Runs of the comm endpoints: their answer, their defaults, and what goes out. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { runsPath } from "../Dispatcher.ts"
import { good, phone } from "./CommBodies.ts"
import { send, Started, uuid } from "./CommPlace.ts"

describe("runs of the comm endpoints", () => {
  layer(Started.layer, { excludeTestServices: true })((it) => {
    it.effect("answer where the run stands, and what stands in the ledger is what goes out", () =>
      Effect.gen(function* () {
        const { bot, ended } = yield* Started
        const answer = yield* send("messenger", { chat_id: "0077", text: "The pump stands still.", severity: "ALERT" })
        const id = answer.json.run_id
        assert.match(id, uuid)
        assert.deepStrictEqual(
          [answer.status, answer.json],
          [
            202,
            {
              run_id: id,
              state: "running",
              targets: [{ fallback_of: null, channel: "messenger", target: "77", state: "pending", reason: null }],
              links: { run: `${runsPath}/${id}`, acknowledge: `${runsPath}/${id}/acknowledge` }
            }
          ]
        )
        const run = yield* ended(id)
        assert.deepInclude(run, {
          event_type: "comm.messenger",
          state: "delivered",
          severity: "ALERT",
          body: "The pump stands still.",
          source: { kind: "api" }
        })
        assert.strictEqual(bot.messages.find(({ chatId }) => chatId === "77")?.text, "ALERT: The pump stands still.")
        const plain = yield* send("messenger", { chat_id: "78", text: "The pump runs." })
        assert.isNull((yield* ended(plain.json.run_id)).severity)
        assert.strictEqual(bot.messages.find(({ chatId }) => chatId === "78")?.text, "The pump runs.")
      })
    )

    it.effect("fill in the defaults, and the ledger shows them", () =>
      Effect.gen(function* () {
        const { run } = yield* Started
        const target = (path: string, body: object) =>
          Effect.flatMap(send(path, body), ({ json, status, text }) => {
            assert.strictEqual(status, 202, text)
            return Effect.map(run(json.run_id), ({ event_type, targets }) => [
              event_type,
              targets[0].channel,
              targets[0].target,
              targets[0].options
            ])
          })
        assert.deepStrictEqual(yield* target("call", good["call"]!), [
          "comm.call",
          "call",
          phone,
          { tts_provider: "local_gpu", pause_ms: 4000, repeat: 2 }
        ])
        assert.deepStrictEqual(yield* target("messenger/voice", good["messenger/voice"]!), [
          "comm.messenger_voice",
          "messenger_voice",
          "1",
          { tts_provider: "local_gpu" }
        ])
        assert.deepStrictEqual(yield* target("messenger", good["messenger"]!), ["comm.messenger", "messenger", "1", {}])
        assert.deepStrictEqual(yield* target("notify", { text: "t", channels: [{ channel: "call", target: phone }] }), [
          "comm.notify",
          "call",
          phone,
          { tts_provider: "local_gpu", pause_ms: 4000, repeat: 2 }
        ])
        const asked = { tts_provider: "cloud", tts_voice: "models/de/anna", pause_ms: 60_000, repeat: 10 }
        assert.deepStrictEqual((yield* target("call", { ...good["call"], ...asked }))[3], asked)
        const voice = { tts_provider: "local_fast", tts_voice: "otto", caption: "c".repeat(1_024) }
        assert.deepStrictEqual((yield* target("messenger/voice", { ...good["messenger/voice"], ...voice }))[3], voice)
      })
    )

    it.effect(
      "serve several targets, say at once of an SMS that it is unsupported, and try fallbacks in their order",
      () =>
        Effect.gen(function* () {
          const { bot, ended, sink, url } = yield* Started
          const answer = yield* send("notify", {
            text: "Several",
            severity: "WARNING",
            channels: [
              { channel: "webhook", target: `${url}/several` },
              {
                channel: "sms",
                target: phone,
                fallback: [
                  { channel: "sms", target: "+4915112345679" },
                  { channel: "messenger", target: "501" }
                ]
              }
            ]
          })
          assert.strictEqual(answer.status, 202, answer.text)
          assert.deepStrictEqual(
            answer.json.targets.map((target: any) => [target.fallback_of, target.channel, target.target, target.state]),
            [
              [null, "webhook", `${url}/several`, "pending"],
              [null, "sms", phone, "pending"],
              [1, "sms", "+4915112345679", "pending"],
              [1, "messenger", "501", "pending"]
            ]
          )
          for (const target of answer.json.targets) {
            if (target.channel === "sms") assert.match(target.reason, /^unsupported/)
            else assert.isNull(target.reason)
          }
          const run = yield* ended(answer.json.run_id)
          assert.deepStrictEqual(
            [run.state, ...run.targets.map((target: any) => target.state)],
            ["delivered", "delivered", "failed", "failed", "delivered"]
          )
          assert.match(run.targets[1].reason, /^unsupported/)
          assert.strictEqual(run.targets[1].attempts.length, 1, "an SMS is never retried")
          assert.lengthOf(
            bot.messages.filter(({ chatId }) => chatId === "501"),
            1
          )
          assert.deepInclude(JSON.parse(sink.requests.find(({ path }) => path === "/several")!.body), {
            event_type: "comm.notify",
            severity: "WARNING",
            body: "Several"
          })
        })
    )

    it.effect("keep a text that no database holds, with the marks replaced", () =>
      Effect.gen(function* () {
        const { bot, ended } = yield* Started
        const { json } = yield* send("messenger", { chat_id: "79", text: "a\0b\ud800c \u202e \u{1F525}" })
        yield* ended(json.run_id)
        assert.strictEqual(bot.messages.find(({ chatId }) => chatId === "79")?.text, "a\uFFFDb\uFFFDc \u202e \u{1F525}")
      })
    )
  })
})
