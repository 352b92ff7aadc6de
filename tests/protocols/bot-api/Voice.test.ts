import { readFileSync } from "node:fs"
import * as net from "node:net"
import { inspect } from "node:util"
import { Duration, Effect, Redacted, Result } from "effect"
import * as fc from "fast-check"
import { afterEach, assert, describe, expect, it } from "vitest"
import { type BotApiOptions, make } from "#protocols/bot-api/BotApi.ts"
import {
  isOggOpus,
  maxCaptionLength,
  maxVoiceBytes,
  type OutgoingVoice,
  voiceProblem
} from "#protocols/bot-api/Voice.ts"
import { BotApiDouble, type BotApiDoubleOptions } from "#support/BotApiDouble.ts"

const golden = (name: string) => new Uint8Array(readFileSync(new URL(`../../goldens/audio/${name}`, import.meta.url)))
const tone = golden("tone.ogg")

let double: BotApiDouble | undefined
afterEach(() => double?.stop())

const start = async (options: BotApiDoubleOptions = {}, client: Partial<BotApiOptions> = {}) => {
  double = new BotApiDouble(options)
  const api = make({
    baseUrl: await double.start(),
    token: Redacted.make(double.token),
    uploadTimeout: Duration.seconds(8),
    ...client
  })
  const send = (voice: Partial<OutgoingVoice>) =>
    Effect.runPromise(Effect.result(api.sendVoice({ chatId: "1", voice: tone, ...voice })))
  const refusal = async (voice: Partial<OutgoingVoice>) => {
    const result = await send(voice)
    assert(Result.isFailure(result), "was sent")
    return result.failure
  }
  return { double, send, refusal }
}

describe("sendVoice", () => {
  it("uploads the very bytes, with caption and duration", async () => {
    const { double, send } = await start()
    const caption = `ALERT: "Gas"\r\n--boundary\r\n\u{1F525}`
    const result = await send({ chatId: "@ops", caption, durationMs: 12_600, name: 'a"b\n.ogg' })
    assert(Result.isSuccess(result))
    assert.deepStrictEqual(result.success.voice, { duration: 13 })
    const [message] = double.messages
    assert.deepStrictEqual(
      [message?.chatId, message?.text, message?.file?.shownAs],
      ["@ops", caption.replaceAll("\r", ""), "voice"]
    )
    assert.deepStrictEqual(message?.file?.bytes, tone)
  })

  it("sends no caption where there is none, and no duration below a second", async () => {
    const { double, send } = await start()
    await send({ durationMs: 200 })
    assert.deepStrictEqual(
      [double.messages[0]?.text, double.messages[0]?.file?.duration, double.messages[0]?.file?.name],
      ["", 1, "voice.ogg"]
    )
  })

  it.each([
    ["an empty file", { voice: new Uint8Array() }],
    ["a WAV file", { voice: golden("tone.wav") }],
    ["an MP3 file", { voice: golden("tone.mp3") }],
    ["an OGG file with Vorbis", { voice: golden("vorbis.ogg") }],
    ["a caption too long", { caption: "x".repeat(maxCaptionLength + 1) }]
  ])("does not send %s", async (_, voice) => {
    const { double, refusal } = await start()
    const error = await refusal(voice)
    assert.deepStrictEqual([error.reason._tag, error.retryable, error.reached], ["Unsendable", false, "no"])
    assert.lengthOf(double.calls, 0)
  })

  it("bounds the size", () => {
    const big = new Uint8Array(maxVoiceBytes + 1)
    big.set(tone)
    expect(voiceProblem({ chatId: "1", voice: big })).toContain("more than")
    assert.isUndefined(
      voiceProblem({ chatId: "1", voice: big.subarray(0, maxVoiceBytes), caption: "x".repeat(maxCaptionLength) })
    )
  })

  it.each([
    ["3", "BadRequest"],
    ["2", "Forbidden"],
    ["-5", "ChatMigrated"],
    ["6", "VoiceForbidden"],
    ["7", "VoiceForbidden"],
    ["-8", "VoiceForbidden"]
  ])("chat %s: %s", async (chatId, tag) => {
    const { refusal } = await start({
      chats: ["1", "2", "6", "7", "-8"],
      blocked: ["2"],
      migrated: { "-5": "-1005" },
      voiceForbidden: { "6": "name", "7": "user", "-8": "group" }
    })
    const error = await refusal({ chatId })
    assert.deepStrictEqual([error.reason._tag, error.retryable, error.reached], [tag, false, "yes"])
  })

  it("takes 413 from the API and from a proxy before it as final", async () => {
    const { refusal } = await start({ maxBytes: 100 })
    assert.deepStrictEqual([(await refusal({})).reason._tag, (await refusal({})).retryable], ["TooLarge", false])
    const proxy = net.createServer((socket) => {
      socket.on("error", () => {})
      // Answers after the complete upload, so that the client has time to read the answer.
      let read = 0
      socket.on(
        "data",
        (chunk) =>
          (read += chunk.length) > tone.length &&
          socket.end("HTTP/1.1 413 Too Large\r\ncontent-length: 6\r\n\r\n<html>")
      )
    })
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve))
    const baseUrl = `http://127.0.0.1:${(proxy.address() as net.AddressInfo).port}`
    const error = await Effect.runPromise(
      Effect.flip(make({ baseUrl, token: Redacted.make("1:x") }).sendVoice({ chatId: "1", voice: tone }))
    )
    proxy.close()
    assert.strictEqual(error.reason._tag, "TooLarge")
  })

  it.each([
    ["500", "ServerError", "yes"],
    ["html502", "ServerError", "yes"],
    ["hang", "TimedOut", "perhaps"],
    ["cut-after", "ConnectionLost", "perhaps"]
  ] as const)("%s: %s", async (kind, tag, reached) => {
    const { double, refusal } = await start(
      { token: "99999:hunter2-SECRET" },
      kind === "hang" ? { uploadTimeout: Duration.millis(500) } : {}
    )
    double.failNext(kind)
    const error = await refusal({})
    assert.deepStrictEqual([error.reason._tag, error.retryable, error.reached], [tag, true, reached])
    expect(inspect(error, { depth: 10, showHidden: true }) + error.stack + JSON.stringify(error)).not.toMatch(
      /hunter2|99999/
    )
  })

  it("reads the pause of a 429", async () => {
    const { refusal } = await start({ perSecond: 0, retryAfter: 12 })
    assert.deepStrictEqual((await refusal({})).reason, { _tag: "TooManyRequests", retryAfter: 12_000 })
  })

  it("refuses a wrong token", async () => {
    const { refusal } = await start({}, { token: Redacted.make("1:other") })
    assert.strictEqual((await refusal({})).reason._tag, "Unauthorized")
  })
})

describe("connecting", () => {
  it("tells a server that is never reached from one that says nothing", async () => {
    // A TCP server that does not speak TLS, so the connection is never established.
    const mute = net.createServer(() => {})
    await new Promise<void>((resolve) => mute.listen(0, "127.0.0.1", resolve))
    const port = (mute.address() as net.AddressInfo).port
    const call = (scheme: string) =>
      Effect.runPromise(
        Effect.flip(
          make({
            baseUrl: `${scheme}://127.0.0.1:${port}`,
            token: Redacted.make("1:x"),
            timeout: Duration.seconds(4),
            connectTimeout: 200
          }).sendMessage({ chatId: "1", text: "x" })
        )
      )
    const [unreached, mutely] = await Promise.all([call("https"), call("http")])
    mute.close()
    assert.deepStrictEqual(
      [unreached.reason, unreached.reached],
      [{ _tag: "Unreachable", code: "UND_ERR_CONNECT_TIMEOUT" }, "no"]
    )
    assert.deepStrictEqual([mutely.reason._tag, mutely.reached], ["TimedOut", "perhaps"])
  })
})

describe("ports", () => {
  it("sends nothing to one that fetch refuses to dial", async () => {
    const error = await Effect.runPromise(
      Effect.flip(make({ baseUrl: "http://127.0.0.1:25", token: Redacted.make("1:x") }).getMe)
    )
    assert.deepStrictEqual([error.reason, error.reached], [{ _tag: "Unreachable", code: "unusable port" }, "no"])
  })
})

describe("isOggOpus", () => {
  it("knows what encoders write", () => {
    assert.deepStrictEqual(
      ["tone.ogg", "vorbis.ogg", "tone.mp3", "tone.wav"].map((name) => isOggOpus(golden(name))),
      [true, false, false, false]
    )
  })

  it("survives anything", () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => assert.isFalse(isOggOpus(bytes))))
    // Every truncated form of the real header is refused, and none is read past its end.
    for (let length = 0; length < 36; length++) assert.isFalse(isOggOpus(tone.subarray(0, length)), String(length))
  })
})
