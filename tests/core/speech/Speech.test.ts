import { existsSync } from "node:fs"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Redacted, Result } from "effect"
import { TestClock } from "effect/testing"
import { restTime } from "#core/speech/ProviderChain.ts"
import * as Speech from "#core/speech/Speech.ts"
import { speechSettings } from "#core/speech/SpeechSettings.ts"
import { readWav } from "#core/speech/WavFile.ts"
import { load } from "#core/config/Settings.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import { scratchFolder } from "#support/peers/Loopback.ts"
import { SpeechDouble, type SpeechDoubleOptions, tone } from "#support/SpeechDouble.ts"
import { withPath } from "./ProgramPath.ts"

/**
 * Timeouts of the providers. `patient`: for a loaded machine. `hanging` and `allHanging`: short, because tests wait for
 * them.
 */
const patient = { local_fast: Duration.seconds(15), local_gpu: Duration.seconds(15), cloud: Duration.seconds(15) }
const hanging = { ...patient, local_gpu: Duration.millis(400) }
const allHanging = { local_fast: Duration.millis(250), local_gpu: Duration.millis(250), cloud: Duration.millis(250) }

const start = Effect.fnUntraced(function* (
  options: SpeechDoubleOptions | "none" | "away",
  env: Readonly<Record<string, string>> = {},
  timeouts: typeof patient = patient
) {
  const directory = join(yield* scratchFolder("speech"), "speech")
  const made = new SpeechDouble(typeof options === "string" ? {} : options)
  const url = yield* Effect.acquireRelease(
    Effect.promise(() => made.start()),
    () => Effect.promise(() => made.stop())
  )
  if (options === "away") yield* Effect.promise(() => made.stop())
  const config = Result.getOrThrow(
    load(speechSettings, { ...(options === "none" ? {} : { SIGNALBOX_TTS_URL: url }), ...env })
  )
  const speech = yield* Speech.make(config, directory, timeouts)
  const say = (text: string, more: Partial<Speech.SpeechRequest> = {}) =>
    speech.synthesize({ text, provider: "local_gpu", format: "wav", ...more })
  return { double: made, directory, speech, say }
})

describe("Speech by a gateway", () => {
  it.live("is synthesized once and then cached, also for other white space", () =>
    Effect.gen(function* () {
      const { directory, double, say, speech } = yield* start({ token: "t" }, { SIGNALBOX_TTS_TOKEN: "t" })
      const first = yield* say("Alarm im Keller")
      assert.deepInclude(first, {
        provider: "local_gpu",
        engine: "local_gpu",
        cached: false,
        durationMs: 500,
        path: join(directory, first.name)
      })
      assert.notProperty(first, "fellBackFrom")
      assert.isTrue((yield* Effect.promise(() => readFile(first.path))).equals(tone(500)))
      assert.deepStrictEqual(yield* say("  Alarm im\nKeller "), { ...first, cached: true })
      assert.strictEqual(double.calls.length, 1)
      assert.deepStrictEqual(yield* speech.status, { status: "ok", provider: "local_gpu" })
      for (const more of [{ provider: "cloud" }, { voice: "anna" }] as const)
        assert.notStrictEqual((yield* say("Alarm im Keller", more)).name, first.name)
      const together = yield* Effect.forEach(Array.from({ length: 30 }), () => say("Alle zugleich"), {
        concurrency: "unbounded"
      })
      assert.strictEqual(new Set(together.map(({ name }) => name)).size, 1)
      assert.strictEqual(double.calls.filter(({ text }) => text === "Alle zugleich").length, 1)
    }).pipe(Effect.scoped)
  )

  it.live("resolves an alias to the voice of each provider", () =>
    Effect.gen(function* () {
      const { double, say } = yield* start(
        { failing: ({ provider }) => (provider === "cloud" ? "500" : undefined) },
        {
          SIGNALBOX_TTS_VOICES: `{"default": {"local_fast": "thorsten"}, "anna": {"local_gpu": "kerstin", "cloud": "de-DE-A"}}`
        }
      )
      yield* say("eins", { voice: "anna", provider: "cloud" })
      yield* say("zwei", { voice: "conrad", provider: "local_gpu" })
      yield* say("drei", { provider: "local_fast" })
      // The cloud provider is paused by now, and other providers do not know its voice names.
      yield* say("vier", { voice: "de-DE-B", provider: "cloud" })
      assert.deepStrictEqual(
        double.calls.map(({ provider, voice }) => [provider, voice]),
        [
          ["cloud", "de-DE-A"],
          ["local_gpu", "kerstin"],
          ["local_gpu", "conrad"],
          ["local_fast", "thorsten"],
          ["local_gpu", undefined]
        ]
      )
    }).pipe(Effect.scoped)
  )

  it.live("falls back to the next provider with the reason; the failed one is paused and asked again later", () =>
    Effect.gen(function* () {
      const { double, say, speech } = yield* start(
        { failing: ({ provider }) => (provider === "local_gpu" ? "hang" : undefined) },
        {},
        hanging
      )
      const first = yield* say("eins")
      assert.deepInclude(first, { provider: "local_fast", engine: "local_fast" })
      assert.deepStrictEqual(first.fellBackFrom, {
        provider: "local_gpu",
        reason: "local_gpu did not finish within 400 ms"
      })
      assert.deepInclude(yield* speech.status, { status: "degraded", provider: "local_fast" })
      const second = yield* say("zwei")
      assert.strictEqual(
        second.fellBackFrom?.reason,
        "left alone since it failed: local_gpu did not finish within 400 ms"
      )
      assert.strictEqual(double.calls.filter(({ provider }) => provider === "local_gpu").length, 1)
      double.options = {}
      // Audio of a substitute provider is not used once the requested provider works again.
      const rested = yield* Effect.andThen(TestClock.setTime(Date.now() + restTime + 1), say("zwei")).pipe(
        Effect.provide(TestClock.layer())
      )
      assert.deepInclude(rested, { provider: "local_gpu", cached: false })
      assert.deepInclude(yield* speech.status, { status: "ok", provider: "local_gpu" })
    }).pipe(Effect.scoped)
  )

  it.live("many different texts wait for a hanging provider only a few times", () =>
    Effect.gen(function* () {
      const { double, say } = yield* start(
        { failing: ({ provider }) => (provider === "local_gpu" ? "hang" : undefined) },
        {},
        hanging
      )
      const all = yield* Effect.forEach(
        Array.from({ length: 60 }, (_, index) => `Alarm ${index}`),
        (text) => say(text),
        { concurrency: "unbounded" }
      )
      assert.isTrue(all.every(({ provider }) => provider === "local_fast"))
      assert.isAtMost(double.calls.filter(({ provider }) => provider === "local_gpu").length, 4)
    }).pipe(Effect.scoped)
  )

  it.live("check asks at once and updates the status; both omit secrets", () =>
    Effect.gen(function* () {
      const { double, speech } = yield* start({ token: "right" }, { SIGNALBOX_TTS_TOKEN: "wrong-secret" })
      const refused = yield* speech.check
      assert.deepInclude(refused, { status: "degraded" })
      assert.include(refused.detail, "refused (401)")
      assert.notInclude(JSON.stringify(refused), "wrong-secret")
      double.options = { offered: ["cloud"] }
      assert.notInclude((yield* speech.check).detail ?? "", "local_fast:")
      double.options = { failing: () => "hang" }
      const begun = performance.now()
      assert.include((yield* speech.check).detail, "local_fast did not finish within 3000 ms")
      assert.isBelow(performance.now() - begun, 8_000)
      double.options = {}
      assert.notInclude((yield* speech.check).detail ?? "", "local_fast:")
    }).pipe(Effect.scoped)
  )

  it.live("recheck asks failed providers, the first answer counts for all, and takes effect at once", () =>
    Effect.gen(function* () {
      const { double, say, speech } = yield* start({
        failing: ({ provider }) => (provider === "local_gpu" ? "truncated" : undefined)
      })
      assert.strictEqual((yield* say("eins")).provider, "local_fast")
      assert.include((yield* speech.status).detail, "local_gpu")
      double.options = {}
      const asked = double.calls.length
      assert.deepStrictEqual(yield* speech.recheck, { status: "ok", provider: "local_gpu" })
      assert.deepStrictEqual(
        double.calls.slice(asked).map(({ provider }) => provider),
        ["local_gpu"]
      )
      // No pause remains from its failure.
      assert.strictEqual((yield* say("zwei")).provider, "local_gpu")

      double.options = { token: "other" }
      assert.strictEqual((yield* say("drei")).engine, "espeak-ng")
      assert.strictEqual((yield* speech.recheck).status, "degraded")
      double.options = {}
      const before = double.calls.length
      assert.strictEqual((yield* speech.recheck).status, "ok")
      assert.strictEqual(double.calls.length, before + 1)
      yield* speech.recheck
      assert.strictEqual(double.calls.length, before + 1)
    }).pipe(Effect.scoped)
  )

  it.live("refuses to say nothing", () =>
    Effect.gen(function* () {
      const { double, say } = yield* start({})
      const error = yield* Effect.flip(say(" \n\u0000"))
      assert.strictEqual(error.reason._tag, "EmptyText")
      assert.isFalse(error.retryable)
      assert.lengthOf(double.calls, 0)
    }).pipe(Effect.scoped)
  )
})

describePeers(["espeak-ng", "ffmpeg"], "Speech with espeak-ng", () => {
  const failures = [
    "500",
    "html",
    "mislabelled",
    "redirect",
    "truncated",
    "cut",
    "silent",
    "huge",
    "endless",
    "trickle",
    "hang"
  ] as const
  for (const failure of failures) {
    it.live(`a gateway that answers ${failure} costs no call its voice`, () =>
      Effect.gen(function* () {
        const { directory, say, speech } = yield* start(
          { failing: () => failure },
          {},
          failure === "hang" || failure === "trickle" ? allHanging : patient
        )
        const spoken = yield* say("Brandmelder in Halle zwei")
        assert.deepInclude(spoken, { provider: "local_fast", engine: "espeak-ng" })
        assert.strictEqual(spoken.fellBackFrom?.provider, "local_gpu")
        assert.isAbove(spoken.fellBackFrom!.reason.length, 10)
        const facts = Result.getOrThrow(readWav(yield* Effect.promise(() => readFile(spoken.path))))
        assert.deepInclude(facts, { sampleRate: 16_000, channels: 1, durationMs: spoken.durationMs })
        assert.isAbove(spoken.durationMs, 1_000)
        assert.deepStrictEqual(yield* Effect.promise(() => readdir(directory)), [spoken.name])
        assert.strictEqual((yield* speech.status).status, "degraded")
      }).pipe(Effect.scoped)
    )
  }

  it.live("an unreachable gateway is asked once for all its providers", () =>
    Effect.gen(function* () {
      const { say } = yield* start("away")
      assert.include((yield* say("eins")).fellBackFrom?.reason, "cannot be reached (ECONNREFUSED)")
      assert.include((yield* say("zwei", { provider: "cloud" })).fellBackFrom?.reason, "left alone since it failed")
      const refusing = yield* start({ token: "unknown to us" })
      yield* refusing.say("eins")
      assert.deepStrictEqual(refusing.double.statuses, [401])
    }).pipe(Effect.scoped)
  )

  it.live("works in every format without a gateway, with status ok", () =>
    Effect.gen(function* () {
      const { say, speech } = yield* start("none")
      assert.deepStrictEqual(yield* speech.check, { status: "ok", provider: "local_fast", detail: "espeak-ng" })
      for (const format of ["wav", "ogg", "mp3"] as const) {
        const spoken = yield* say("Alarm", { format, provider: "local_fast" })
        assert.isTrue(spoken.path.endsWith(`.${format}`) && existsSync(spoken.path))
        assert.notProperty(spoken, "fellBackFrom")
        assert.isTrue((yield* say("Alarm", { format, provider: "local_fast" })).cached)
      }
      assert.deepStrictEqual((yield* say("Alarm")).fellBackFrom, {
        provider: "local_gpu",
        reason: "no speech gateway is configured"
      })
    }).pipe(Effect.scoped)
  )

  it.live("fails only without any voice, and names the package to install", () =>
    Effect.gen(function* () {
      yield* withPath([])
      const alone = yield* start("none")
      assert.deepStrictEqual(yield* alone.speech.status, { status: "unconfigured" })
      const error = yield* Effect.flip(alone.say("Alarm"))
      assert.strictEqual(error.message, "espeak-ng is not installed: apt install espeak-ng")
      assert.isFalse(error.retryable)
      const { say } = yield* start("away")
      const nobody = yield* Effect.flip(say("Alarm"))
      assert.strictEqual(nobody.reason._tag, "NoVoice")
      assert.include(nobody.message, "local_gpu: the speech gateway cannot be reached")
      assert.include(nobody.message, "apt install espeak-ng")
      assert.isTrue(nobody.retryable)
    }).pipe(Effect.scoped)
  )
})

describe("speechSettings", () => {
  it("are all optional, and report errors", () => {
    const bare = Result.getOrThrow(load(speechSettings, {}))
    assert.deepInclude(bare, { ttsUrl: undefined, ttsEspeakVoice: "de", speechCacheBytes: 256 * 1024 * 1024 })
    const problems = Result.getFailure(
      load(speechSettings, {
        SIGNALBOX_TTS_URL: "ftp://x",
        SIGNALBOX_TTS_VOICES: "anna",
        SIGNALBOX_TTS_ESPEAK_VOICE: "-w/tmp/x",
        SIGNALBOX_SPEECH_CACHE_BYTES: "1"
      })
    )
    assert.deepStrictEqual(
      problems.pipe((option) => (option._tag === "Some" ? option.value.map(({ name }) => name) : [])),
      ["SIGNALBOX_TTS_URL", "SIGNALBOX_TTS_VOICES", "SIGNALBOX_TTS_ESPEAK_VOICE", "SIGNALBOX_SPEECH_CACHE_BYTES"]
    )
    const held = Result.getOrThrow(load(speechSettings, { SIGNALBOX_TTS_TOKEN: "hidden" })).ttsToken
    assert.notInclude(String(held), "hidden")
    assert.strictEqual(Redacted.value(held!), "hidden")
  })
})
