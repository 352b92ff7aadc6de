import { chmod, writeFile } from "node:fs/promises"
import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Result } from "effect"
import { runProgram } from "#core/speech/BoundedProgram.ts"
import { convert, finish } from "#core/speech/Conversion.ts"
import { espeak } from "#core/speech/EspeakNg.ts"
import { readWav, writeWav } from "#core/speech/WavFile.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import { scratchFolder } from "#support/peers/Loopback.ts"
import { eventually } from "#support/Processes.ts"
import { tone } from "#support/SpeechDouble.ts"
import { withPath } from "./ProgramPath.ts"

const run = (
  program: string,
  args: ReadonlyArray<string>,
  more: { readonly timeout?: Duration.Duration; readonly maxOutput?: number; readonly input?: string } = {}
) =>
  runProgram({
    program,
    args,
    input: Buffer.from(more.input ?? ""),
    timeout: more.timeout ?? Duration.seconds(10),
    maxOutput: more.maxOutput ?? 1_000
  })

describe("BoundedProgram", () => {
  it.live("passes arguments and input unchanged, and nothing of our environment", () =>
    Effect.gen(function* () {
      process.env["SIGNALBOX_TEST_SECRET"] = "hidden"
      assert.strictEqual((yield* run("cat", [], { input: "$(id) `id`" })).toString(), "$(id) `id`")
      assert.strictEqual((yield* run("echo", ["-n", "$HOME; id"])).toString(), "$HOME; id")
      assert.notInclude((yield* run("env", [])).toString(), "hidden")
      delete process.env["SIGNALBOX_TEST_SECRET"]
    })
  )

  it.live("ends programs that take too long or write too much, and leaves none behind", () =>
    Effect.gen(function* () {
      const slow = yield* Effect.flip(run("sleep", [`4711.${process.pid}`], { timeout: Duration.millis(100) }))
      assert.deepStrictEqual(slow.reason, { _tag: "TimedOut", what: "sleep", milliseconds: 100 })
      const loud = yield* Effect.flip(run("yes", [`4711.${process.pid}`], { maxOutput: 100_000 }))
      assert.include(loud.message, "more than 100000 bytes")
      yield* Effect.timeoutOption(run("sleep", [`4711.${process.pid}`]), 50)
      const commands = () => execFileSync("sh", ["-c", "cat /proc/[0-9]*/cmdline 2>/dev/null; true"]).toString()
      yield* eventually("no program is left", () => !commands().includes(`4711.${process.pid}`))
    })
  )

  it.live("names the failure and the package to install", () =>
    Effect.gen(function* () {
      assert.strictEqual(
        (yield* Effect.flip(run("ls", ["/nonexistent"]))).message,
        "ls failed: exit status 2, ls: cannot access '/nonexistent': No such file or directory"
      )
      const absent = yield* Effect.flip(run("espeak-nope", []))
      assert.strictEqual(absent.message, "espeak-nope is not installed: apt install espeak-nope")
      assert.isFalse(absent.retryable)
    })
  )
})

describePeers(["ffmpeg"], "Conversion", () => {
  it.live("produces the format's properties with the same duration", () =>
    Effect.gen(function* () {
      const wav = yield* finish(tone(1_500, 22_050), "wav", "wav")
      assert.deepInclude(Result.getOrThrow(readWav(wav.bytes)), {
        sampleRate: 16_000,
        channels: 1,
        bitsPerSample: 16,
        encoding: 1
      })
      assert.deepStrictEqual(wav.facts, { durationMs: 1_500, final: true })
      const folder = yield* scratchFolder("audio")
      for (const [format, expected] of [
        ["ogg", "opus,48000,1"],
        ["mp3", "mp3,44100,1"]
      ] as const) {
        const made = yield* finish(tone(1_500, 22_050), "wav", format)
        assert.closeTo(made.facts.durationMs, 1_500, 80)
        const file = join(folder, `a.${format}`)
        yield* Effect.promise(() => writeFile(file, made.bytes))
        const words = [
          "-v",
          "error",
          "-show_entries",
          "stream=codec_name,sample_rate,channels:format=format_name",
          "-of",
          "csv=p=0",
          file
        ]
        assert.include(execFileSync("ffprobe", words).toString(), expected)
        // Converts back, because a gateway may send these formats.
        assert.closeTo((yield* convert(made.bytes, format, "wav")).facts.durationMs, 1_500, 80)
        // The format is declared, not guessed from the bytes.
        assert.strictEqual((yield* Effect.flip(convert(made.bytes, "wav", "wav"))).reason._tag, "ProgramFailed")
      }
    }).pipe(Effect.scoped)
  )

  it.live("keeps audio in the right format, and accepts any sample type", () =>
    Effect.gen(function* () {
      const right = tone(300)
      assert.strictEqual((yield* finish(right, "wav", "wav")).bytes, right)
      const stereo8 = writeWav(Buffer.alloc(16_000, 128), 8_000, 2)
      stereo8.writeUInt16LE(8, 34)
      stereo8.writeUInt16LE(2, 32)
      assert.deepInclude(Result.getOrThrow(readWav((yield* finish(stereo8, "wav", "wav")).bytes)), {
        sampleRate: 16_000,
        channels: 1,
        durationMs: 1_000
      })
    })
  )

  it.live("opens only its pipe for any input", () =>
    Effect.gen(function* () {
      const folder = yield* scratchFolder("audio")
      const secret = join(folder, "secret.wav")
      yield* Effect.promise(() => writeFile(secret, tone(500)))
      for (const list of [
        `ffconcat version 1.0\nfile ${secret}\n`,
        `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile://${secret}\n`
      ]) {
        assert.strictEqual((yield* Effect.flip(convert(Buffer.from(list), "wav", "wav"))).reason._tag, "ProgramFailed")
      }
    }).pipe(Effect.scoped)
  )
})

describePeers(["espeak-ng"], "without ffmpeg", () => {
  it.live("telephony uses espeak-ng's WAV with a corrected header; other formats name the package to install", () =>
    Effect.gen(function* () {
      const { path } = yield* withPath(["espeak-ng"])
      const raw = yield* espeak("Alarm im Serverraum", "de")
      assert.strictEqual(raw.readUInt32LE(40), 0x7fff_f000)
      const { bytes, facts } = yield* finish(raw, "wav", "wav")
      assert.strictEqual(bytes.readUInt32LE(40), bytes.length - 44)
      assert.deepInclude(Result.getOrThrow(readWav(bytes)), {
        sampleRate: 22_050,
        channels: 1,
        durationMs: facts.durationMs
      })
      assert.isAbove(facts.durationMs, 700)
      for (const format of ["ogg", "mp3"] as const) {
        assert.strictEqual(
          (yield* Effect.flip(finish(raw, "wav", format))).message,
          "ffmpeg is not installed: apt install ffmpeg"
        )
      }
      // When a program exists but fails, its output must not be used.
      yield* Effect.promise(() => writeFile(join(path, "ffmpeg"), "#!/bin/sh\nexit 3\n"))
      yield* Effect.promise(() => chmod(join(path, "ffmpeg"), 0o755))
      assert.strictEqual((yield* Effect.flip(finish(raw, "wav", "wav"))).reason._tag, "ProgramFailed")
    }).pipe(Effect.scoped)
  )
})

describePeers(["espeak-ng"], "EspeakNg", () => {
  it.live("speaks any text, with another voice for an unknown name", () =>
    Effect.gen(function* () {
      const seconds = (text: string, voice: string) =>
        Effect.map(espeak(text, voice), (bytes) => Result.getOrThrow(readWav(bytes)).durationMs / 1000)
      assert.isAbove(yield* seconds("--help\n-f /etc/passwd", "de"), 0.5)
      const german = yield* seconds("Brandmelder in Halle zwei", "de")
      assert.strictEqual(yield* seconds("Brandmelder in Halle zwei", "xx-nobody"), german)
      assert.isAbove(yield* seconds('Feuer 🔥 im Büro „Ost“ <break time="60s"/>', "de"), 0.5)
    })
  )
})
