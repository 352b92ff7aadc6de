import { fileURLToPath } from "node:url"
import { Duration, Effect, Layer, Redacted } from "effect"
import { afterEach, assert, describe, expect, it } from "vitest"
import { Speech, SpeechError, type SpeechRequest, type SpokenAudio } from "#core/speech/Speech.ts"
import { secondNotice } from "#daemons/comm-dispatcher/channels/messenger/Messenger.ts"
import { captionOf, deliver, type VoiceDelivery } from "#daemons/comm-dispatcher/channels/messenger/MessengerVoice.ts"
import { BotApi } from "#protocols/bot-api/BotApi.ts"
import { BotApiDouble, type BotApiDoubleOptions } from "#support/BotApiDouble.ts"

const golden = (name: string) => fileURLToPath(new URL(`../../../../goldens/audio/${name}`, import.meta.url))

let double: BotApiDouble | undefined
afterEach(() => double?.stop())

/** `timeout`: milliseconds for each call; short only in tests that wait for it. */
const start = async (
  options: BotApiDoubleOptions = {},
  audio: Partial<SpokenAudio> | SpeechError = {},
  timeout = 8_000
) => {
  double = new BotApiDouble(options)
  const asked: Array<SpeechRequest> = []
  const spoken: SpokenAudio = {
    path: golden("tone.ogg"),
    name: "a.ogg",
    bytes: 784,
    durationMs: 3_400,
    provider: "local_gpu",
    engine: "local_gpu",
    cached: true
  }
  const ok = Effect.succeed({ status: "ok" } as const)
  const speech = Layer.succeed(
    Speech,
    Speech.of({
      synthesize: (request) =>
        Effect.suspend(() => {
          asked.push(request)
          return audio instanceof SpeechError ? Effect.fail(audio) : Effect.succeed({ ...spoken, ...audio })
        }),
      status: ok,
      check: ok,
      recheck: ok
    })
  )
  const api = BotApi.layer({
    baseUrl: await double.start(),
    token: Redacted.make(double.token),
    timeout: Duration.millis(timeout),
    uploadTimeout: Duration.millis(timeout)
  })
  const send = (delivery: Partial<VoiceDelivery> = {}) =>
    Effect.runPromise(
      deliver({
        chatId: "1",
        text: "Gas in hall 3",
        severity: "CRITICAL",
        title: "Gas alarm",
        possibleSecond: false,
        ...delivery
      }).pipe(Effect.provide(Layer.merge(api, speech)))
    )
  return { asked, double, send }
}

const kinds = (double: BotApiDouble) => double.messages.map(({ file }) => file?.shownAs ?? "text")

describe("MessengerVoice", () => {
  it("speaks the text, and captions it", async () => {
    const { asked, double, send } = await start()
    assert.deepStrictEqual(await send({ voice: "anna" }), {
      _tag: "Delivered",
      detail: "voice message 1, 3.4 s by local_gpu"
    })
    assert.deepStrictEqual(asked, [{ text: "Gas in hall 3", provider: "local_gpu", voice: "anna", format: "ogg" }])
    assert.deepStrictEqual(
      [kinds(double), double.messages[0]?.text, double.messages[0]?.file?.duration],
      [["voice"], "CRITICAL: Gas alarm", 3]
    )
  })

  it("says who spoke instead", async () => {
    const { send } = await start(
      {},
      { provider: "local_fast", fellBackFrom: { provider: "cloud", reason: "refused (402)" } }
    )
    assert.deepStrictEqual(await send({ provider: "cloud" }), {
      _tag: "Delivered",
      detail: "voice message 1, 3.4 s by local_fast, since cloud: refused (402)"
    })
  })

  it.each(["name", "user", "group"] as const)("goes as text where voice is refused (%s)", async (wording) => {
    const { double, send } = await start({ voiceForbidden: { "1": wording } })
    const outcome = await send({ possibleSecond: true, caption: "Call me" })
    assert(outcome._tag === "Delivered")
    expect(outcome.detail).toMatch(/^message 1; as text, since sendVoice: voice messages are not taken: /)
    assert.deepStrictEqual(
      double.messages.map(({ text }) => text),
      [`${secondNotice}\nCRITICAL: Call me\nGas in hall 3`]
    )
    assert.deepStrictEqual(
      double.calls.map(({ method, status }) => [method, status]),
      [
        ["sendVoice", 400],
        ["sendMessage", 200]
      ]
    )
  })

  it("goes as text where nobody can speak, where the file is gone, is no voice, or is too large", async () => {
    const cases: ReadonlyArray<readonly [why: string, Partial<SpokenAudio> | SpeechError, BotApiDoubleOptions]> = [
      [
        "nobody could speak: espeak-ng",
        new SpeechError({ reason: { _tag: "NoVoice", tried: ["espeak-ng"], later: true } }),
        {}
      ],
      ["the audio file could not be read", { path: golden("gone.ogg") }, {}],
      ["sendVoice: the voice file is not OGG with Opus", { path: golden("tone.wav") }, {}],
      ["sendVoice: too large for the server (413)", {}, { maxBytes: 600 }]
    ]
    for (const [why, audio, options] of cases) {
      const { double, send } = await start(options, audio)
      assert.deepStrictEqual(await send(), { _tag: "Delivered", detail: `message 1; as text, since ${why}` })
      assert.deepStrictEqual(
        double.messages.map(({ text }) => text),
        ["CRITICAL: Gas in hall 3"]
      )
      await double.stop()
    }
  })

  it("goes as text, whole, where it is too long to listen to, and goes on as what it was begun as", async () => {
    const { asked, double, send } = await start()
    const long = `${"a".repeat(3_900)}\n${"b".repeat(3_900)}`
    await send({ text: long })
    assert.deepStrictEqual([asked.length, kinds(double)], [0, ["text", "text"]])
    // With its caption the first text had two parts. This text is short enough for speech, but the delivery continues
    // as text.
    const outcome = await send({ text: "b".repeat(2_000), caption: "c".repeat(3_500), partsSent: 1 })
    assert.deepStrictEqual(outcome, { _tag: "Delivered", detail: "message 3; as text, since it was begun as text" })
    assert.deepStrictEqual([asked.length, double.messages.at(-1)?.text], [0, "b".repeat(2_000)])
  })

  it.each([
    ["hang", { _tag: "Retryable", reached: "perhaps" }, 1],
    ["cut-after", { _tag: "Retryable", reached: "perhaps" }, 1],
    ["hang-unaccepted", { _tag: "Retryable", reached: "perhaps" }, 0],
    ["500", { _tag: "Retryable", reached: "yes" }, 0],
    ["html502", { _tag: "Retryable", reached: "yes", fault: "channel" }, 0]
  ] as const)(
    "%s: nothing is sent besides, and what is in doubt is said to be",
    async (failure, expected, messages) => {
      const { double, send } = await start({}, {}, failure.startsWith("hang") ? 3_000 : 8_000)
      double.failNext(failure)
      const outcome = await send()
      assert.deepInclude({ ...outcome }, expected)
      assert.strictEqual("fault" in outcome, failure === "html502")
      assert.deepStrictEqual([double.messages.length, double.calls.length], [messages, 1])
      await send({ possibleSecond: true })
      assert.strictEqual(double.messages.at(-1)?.text, `${secondNotice}\nCRITICAL: Gas alarm`)
    }
  )

  it("does not try as text what is refused whatever its form, and follows a chat that moved", async () => {
    const { double, send } = await start({ chats: ["1", "2", "-1005"], blocked: ["2"], migrated: { "-5": "-1005" } })
    assert.strictEqual((await send({ chatId: "2" }))._tag, "Permanent")
    assert.lengthOf(double.calls, 1)
    assert.deepStrictEqual(await send({ chatId: "-5" }), {
      _tag: "Delivered",
      detail: "voice message 1, 3.4 s by local_gpu; the chat has moved to -1005"
    })
  })

  it("waits for a chat's pause, and tells an API that is away", async () => {
    const { double, send } = await start({ perSecond: 1, retryAfter: 7 })
    await send()
    assert.deepInclude({ ...(await send()) }, { _tag: "Retryable", reached: "yes", retryAfter: 7_000 })
    await double.stop()
    assert.deepInclude({ ...(await send()) }, { _tag: "Retryable", reached: "no", fault: "channel" })
  })
})

describe("captionOf", () => {
  const base = { severity: "ALERT", possibleSecond: false, title: "Gas alarm" } as const

  it("is the caption of the request, else the title", () => {
    assert.strictEqual(captionOf({ ...base, caption: " Hall 3 " }), "ALERT: Hall 3")
    assert.strictEqual(captionOf({ ...base, caption: " " }), "ALERT: Gas alarm")
    assert.strictEqual(captionOf({ ...base, severity: undefined }), "Gas alarm")
    assert.strictEqual(captionOf({ ...base, title: "" }), "ALERT")
    assert.strictEqual(captionOf({ ...base, title: "", severity: undefined }), "")
  })

  it("fits, whatever is asked for", () => {
    for (const caption of ["x".repeat(5_000), "\u{1F525}".repeat(2_000), "word ".repeat(900), "x".repeat(1_016)]) {
      for (const possibleSecond of [true, false]) {
        const whole = captionOf({ ...base, caption, possibleSecond })
        assert.isAtMost(whole.length, 1_024)
        assert.isTrue(whole.isWellFormed())
        expect(whole).toMatch(possibleSecond ? /repeat.*\nALERT: / : /^ALERT: /)
      }
    }
    assert.strictEqual(captionOf({ ...base, caption: "x".repeat(1_017) }).length, 1_024)
    expect(captionOf({ ...base, caption: "x".repeat(1_018) })).toMatch(/x…$/)
  })
})
