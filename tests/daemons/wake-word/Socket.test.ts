import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { openOwn } from "#protocols/wake-word/OpenExtractor.ts"
import { clipRows, withIdleRows } from "#protocols/wake-word/Features.ts"
import { scoreHead } from "#protocols/wake-word/Head.ts"
import { loadRuntime } from "#protocols/wake-word/Runtime.ts"
import { embeddingSize, headInputs, silentSteps, stepSamples } from "#protocols/wake-word/Shape.ts"
import { until } from "#support/Frame.ts"
import {
  addModel,
  AudioClient,
  bytesOf,
  callsOf,
  closedOf,
  listen,
  noise,
  startWakeWord,
  ticketUrl,
  wakes,
  weightsOf
} from "./WakeWordSuite.ts"

/** Scores of consecutive steps, computed without a stream. */
const offline = (audio: Int16Array, weights: ReturnType<typeof weightsOf>) =>
  Effect.gen(function* () {
    const extractor = yield* openOwn(yield* loadRuntime())
    const rows = withIdleRows(yield* Effect.promise(() => clipRows(extractor, audio)), extractor.idle)
    const steps = Math.floor(audio.length / stepSamples)
    return Array.from({ length: steps }, (_, at) =>
      scoreHead(weights, rows.subarray(at * embeddingSize, at * embeddingSize + headInputs))
    )
  })

/** Sends audio in parts of these lengths, again and again. */
const sendIn = (client: AudioClient, audio: Int16Array, lengths: ReadonlyArray<number>) => {
  const bytes = bytesOf(audio)
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const length = lengths[turn % lengths.length]!
    client.send(bytes.subarray(at, at + length))
    at += length
  }
}

describe("the audio socket", { timeout: 60_000 }, () => {
  it.live("hears the word in any chunking with the scores of the whole audio, and emits the event", () =>
    Effect.gen(function* () {
      const suite = yield* startWakeWord()
      const call = callsOf(suite)
      const before = (yield* call("GET", "/status")).json
      assert.deepStrictEqual([before.state, before.model, before.websocket_url], ["no_model", null, null])
      yield* addModel(suite, "computer")
      assert.strictEqual((yield* call("POST", "/models/computer/activate")).status, 200)
      const status = (yield* call("GET", "/status", undefined, {})).json
      assert.strictEqual(status.state, "listening")
      assert.deepInclude(status.model, { name: "computer", word: "word computer", threshold: 0.5 })
      assert.match(status.websocket_url, /^ws:\/\/127\.0\.0\.1:\d+\/wakeword\/ws\?ticket=[\w-]+\.[\w-]+$/)

      const audio = noise(4)
      const scores = yield* offline(audio, weightsOf(1, 4))
      const expected = [scores[silentSteps]!, scores[silentSteps + 25]!]
      for (const lengths of [[512], [1, 3, 640], [64_000]]) {
        const client = yield* listen(suite)
        sendIn(client, audio, lengths)
        const heard = yield* wakes(client, 2)
        assert.deepStrictEqual(
          heard.map((message) => [Object.keys(message), message.event, message.word]),
          [
            [["event", "score", "word"], "wake", "word computer"],
            [["event", "score", "word"], "wake", "word computer"]
          ]
        )
        for (const [index, score] of expected.entries()) assert.closeTo(heard[index].score, score, 1e-5)
      }

      const events = () => suite.sql<any>`select tenant_id, data from core.event where type = 'wakeword.detected'`
      yield* until(
        "six events",
        Effect.map(events(), (rows) => rows.length === 6),
        20
      )
      const [event] = yield* events()
      assert.strictEqual(event.tenant_id, 1)
      assert.deepStrictEqual(Object.keys(event.data).toSorted(), [
        "at",
        "connection",
        "model",
        "score",
        "user_id",
        "word"
      ])
      assert.deepInclude(event.data, { word: "word computer", model: "computer", user_id: 10 })
      const health = (yield* suite.call("GET", "/health", { token: yield* suite.token })).json
      assert.strictEqual(health.components.listening.status, "ok")
    }).pipe(Effect.scoped)
  )

  it.live("opens one connection with a ticket, and none without one, except for listed pages", () =>
    Effect.gen(function* () {
      const suite = yield* startWakeWord({ env: { SIGNALBOX_WAKE_WORD_ORIGINS: "www.example.org,*.example.net" } })
      yield* addModel(suite, "computer")
      yield* callsOf(suite)("POST", "/models/computer/activate")
      const url = yield* ticketUrl(suite)
      const attempt = Effect.fnUntraced(function* (address: string, headers?: Record<string, string>) {
        const client = new AudioClient(address, headers)
        yield* until(
          "an answer",
          Effect.sync(() => client.opened || client.refused !== undefined),
          20
        )
        client.socket.terminate()
        return client.refused ?? "open"
      })
      assert.strictEqual(yield* attempt(url), "open")
      assert.strictEqual(yield* attempt(url), 401)
      const bare = url.slice(0, url.indexOf("?"))
      assert.strictEqual(yield* attempt(bare), 401)
      assert.strictEqual(yield* attempt(`${bare}?ticket=`), 401)
      assert.strictEqual(yield* attempt(`${url.slice(0, -3)}AAA`), 401)
      assert.strictEqual(yield* attempt(bare, { origin: "https://evil.example.com" }), 401)
      assert.strictEqual(yield* attempt(bare, { origin: "https://notexample.net" }), 401)
      assert.strictEqual(yield* attempt(bare, { origin: "https://www.example.org" }), "open")
      assert.strictEqual(yield* attempt(bare, { origin: "https://a.example.net" }), "open")
      const other = yield* suite.call("GET", "/wakeword/ws")
      assert.strictEqual(other.status, 404)
    }).pipe(Effect.scoped)
  )

  it.live("closes for text, long messages, a flood, missing models and too many connections", () =>
    Effect.gen(function* () {
      const suite = yield* startWakeWord({
        env: { SIGNALBOX_WAKE_WORD_CONNECTIONS: "2", SIGNALBOX_WAKE_WORD_CONNECTIONS_PER_TENANT: "1" }
      })
      for (const [tenant, name] of [
        [1, "one"],
        [2, "two"],
        [3, "three"]
      ] as const) {
        yield* addModel(suite, name, { tenant, level: -4 })
        yield* callsOf(suite, tenant)("POST", `/models/${name}/activate`)
      }
      const text = yield* listen(suite)
      text.send("hello")
      assert.strictEqual((yield* closedOf(text)).code, 1003)
      const long = yield* listen(suite)
      long.send(Buffer.alloc(64_001))
      assert.strictEqual((yield* closedOf(long)).code, 1009)
      const flood = yield* listen(suite)
      // Two minutes of audio. It is read no faster than its steps are computed, and the allowance grows meanwhile.
      for (let part = 0; part < 60; part++) flood.send(Buffer.alloc(64_000))
      assert.deepStrictEqual((yield* closedOf(flood)).code, 4429)

      const place = yield* listen(suite)
      const ofTenant = yield* closedOf(yield* listen(suite))
      assert.deepStrictEqual([ofTenant.code, ofTenant.reason], [1013, "too many connections; try again later"])
      const second = yield* listen(suite, 2)
      assert.strictEqual((yield* closedOf(yield* listen(suite, 3))).code, 1013)
      place.socket.close()
      yield* closedOf(place)
      const third = yield* listen(suite, 3)
      third.send(noise(0.1))
      yield* Effect.sleep(50)
      assert.strictEqual(third.closed, undefined)

      const urls = [yield* ticketUrl(suite, 2), yield* ticketUrl(suite, 3)]
      yield* callsOf(suite, 2)("POST", "/models/two/deactivate")
      const ended = yield* closedOf(second)
      assert.deepStrictEqual([ended.code, ended.reason], [1013, "no model is active"])
      assert.deepStrictEqual((yield* closedOf(new AudioClient(urls[0]!))).reason, "no model is active")
    }).pipe(Effect.scoped)
  )

  it.live("changes the model of open streams within a second and loses no audio", () =>
    Effect.gen(function* () {
      const suite = yield* startWakeWord()
      const call = callsOf(suite)
      yield* addModel(suite, "first", { level: -4 })
      yield* addModel(suite, "second", { seed: 2 })
      yield* call("POST", "/models/first/activate")
      const client = yield* listen(suite)
      // Long enough for busy cores, which load the model late.
      const audio = noise(12)
      const scores = yield* offline(audio, weightsOf(2, 4))
      const begin = 2 * 16_000
      client.send(audio.subarray(0, begin))
      yield* call("POST", "/models/second/activate")
      const connections = Effect.map(suite.call("GET", "/health", { token: yield* suite.token }), ({ json }) => json)
      assert.strictEqual((yield* connections).components.listening.connections, 1)
      // Sends on in real time, in frames of a browser, until the new model answers.
      let at = begin
      while (client.heard.length === 0 && at < audio.length) {
        client.send(audio.subarray(at, at + 256))
        at += 256
        yield* Effect.sleep(16)
      }
      yield* wakes(client, 1)
      assert.strictEqual(client.heard[0].word, "word second")
      assert.isTrue(
        scores.some((score) => Math.abs(score - client.heard[0].score) < 1e-5),
        "a score of the whole audio"
      )
    }).pipe(Effect.scoped)
  )

  it.live("tells clients of a model that cannot be loaded", () =>
    Effect.gen(function* () {
      const suite = yield* startWakeWord()
      yield* addModel(suite, "broken", { file: new Uint8Array([1, 2, 3]) })
      yield* callsOf(suite)("POST", "/models/broken/activate")
      const client = new AudioClient(yield* ticketUrl(suite))
      assert.strictEqual((yield* closedOf(client)).code, 1011)
      let status: any
      // The problem is forgotten while nobody listens; the question loads the model again.
      yield* until(
        "the status tells the problem",
        Effect.map(callsOf(suite)("GET", "/status"), ({ json }) => (status = json).state === "unavailable"),
        30
      )
      assert.match(status.problem, /model file/)
    }).pipe(Effect.scoped)
  )

  it.live("is reached behind the gateway by both addresses", () =>
    Effect.gen(function* () {
      const suite = yield* startWakeWord({ gateway: true })
      yield* addModel(suite, "computer")
      yield* callsOf(suite)("POST", "/models/computer/activate")
      const short = yield* ticketUrl(suite)
      assert.strictEqual(new URL(short).host, new URL(suite.base()).host)
      const long = (yield* ticketUrl(suite)).replace("/wakeword/ws", "/api/v1/wakeword/ws")
      for (const url of [short, long]) {
        const client = new AudioClient(url)
        yield* until(
          "the socket opens",
          Effect.sync(() => client.opened),
          30
        )
        client.send(noise(1))
        assert.strictEqual((yield* wakes(client, 1))[0]?.word, "word computer")
        client.socket.terminate()
      }
    }).pipe(Effect.scoped)
  )
})
