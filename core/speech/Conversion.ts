/**
 * Converts audio into the three output formats with ffmpeg. ffmpeg gets the input format explicitly, and reads and
 * writes pipes only. Without ffmpeg a WAV is used as it is, because a telephone switch can resample it.
 */
import { Duration, Effect, Result } from "effect"
import { type AudioFormat, maxAudioBytes, maxDuration } from "./Audio.ts"
import { type AudioFacts, judgeAudio, telephonyRate } from "./AudioFile.ts"
import { runProgram } from "./BoundedProgram.ts"
import { type SpeechError, speechError } from "./SpeechError.ts"
import { readWav, writeWav } from "./WavFile.ts"

export interface Audio {
  readonly bytes: Buffer
  readonly facts: AudioFacts
}

/** How long one conversion may take. Reason: ten minutes of audio take 3 s on one slow core. */
export const conversionTimeout = Duration.seconds(20)

/** Arguments before the input: no prompts, one thread, and no access to files or the network. */
const guards = ["-nostdin", "-hide_banner", "-loglevel", "error", "-threads", "1", "-protocol_whitelist", "pipe"]

/**
 * Arguments after the input, by output format. WAV output is raw samples, because ffmpeg cannot write header lengths to
 * a pipe.
 */
const outputs: Readonly<Record<AudioFormat, ReadonlyArray<string>>> = {
  wav: ["-ac", "1", "-ar", String(telephonyRate), "-c:a", "pcm_s16le", "-f", "s16le"],
  ogg: ["-ac", "1", "-ar", "48000", "-c:a", "libopus", "-b:a", "32k", "-application", "voip", "-f", "ogg"],
  mp3: [
    "-ac",
    "1",
    "-ar",
    "44100",
    "-c:a",
    "libmp3lame",
    "-b:a",
    "64k",
    "-write_xing",
    "0",
    "-id3v2_version",
    "0",
    "-f",
    "mp3"
  ]
}

/** Converts `bytes` of format `from` into the output form of `to`. */
export const convert = Effect.fn("Speech.convert")(function* (bytes: Uint8Array, from: AudioFormat, to: AudioFormat) {
  const raw = yield* runProgram({
    program: "ffmpeg",
    args: [
      ...guards,
      "-f",
      from,
      "-i",
      "pipe:0",
      "-map",
      "0:a:0",
      "-map_metadata",
      "-1",
      "-t",
      String(maxDuration / 1000),
      ...outputs[to],
      "pipe:1"
    ],
    input: bytes,
    timeout: conversionTimeout,
    maxOutput: maxAudioBytes
  })
  return yield* judged(to === "wav" ? writeWav(raw, telephonyRate) : raw, to)
})

/**
 * Checks a synthesizer's output and converts it into the output form of `to`. Audio that is already in that form is not
 * converted.
 */
export const finish = (bytes: Buffer, from: AudioFormat, to: AudioFormat): Effect.Effect<Audio, SpeechError> => {
  const judgment = judgeAudio(from, bytes)
  if (Result.isFailure(judgment)) return Effect.fail(speechError({ _tag: "BadAnswer", why: judgment.failure }))
  if (from === to && judgment.success.final) return Effect.succeed({ bytes, facts: judgment.success })
  const converted = convert(bytes, from, to)
  return to !== "wav" || from !== "wav"
    ? converted
    : Effect.catchIf(
        converted,
        (error) => error.reason._tag === "NotInstalled",
        () => judged(exactHeader(bytes), "wav")
      )
}

const judged = (bytes: Buffer, format: AudioFormat): Effect.Effect<Audio, SpeechError> =>
  Result.match(judgeAudio(format, bytes), {
    onFailure: (why) => Effect.fail(speechError({ _tag: "ProgramFailed", program: "ffmpeg", why })),
    onSuccess: (facts) => Effect.succeed({ bytes, facts })
  })

/**
 * Rewrites a WAV header with exact lengths. espeak-ng writes the header before it knows the length, and some players
 * would then wait for hours of audio.
 */
const exactHeader = (bytes: Buffer): Buffer =>
  Result.match(readWav(bytes), {
    onFailure: () => bytes,
    onSuccess: ({ bitsPerSample, channels, dataBytes, dataOffset, encoding, sampleRate }) =>
      encoding === 1 && bitsPerSample === 16
        ? writeWav(bytes.subarray(dataOffset, dataOffset + dataBytes), sampleRate, channels)
        : bytes
  })
