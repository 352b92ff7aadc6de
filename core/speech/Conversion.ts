/**
 * Audio into the three forms handed out, by ffmpeg: told the input's format instead of guessing it, fed and read
 * through pipes, which are also the only protocol it may open. Without ffmpeg a WAV stays as it is: a telephone switch
 * resamples.
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

/** Arguments before the input: it asks nobody, takes one core, and can open no file and no address. */
const guards = ["-nostdin", "-hide_banner", "-loglevel", "error", "-threads", "1", "-protocol_whitelist", "pipe"]

/**
 * Arguments behind the input, by the form wanted. WAV comes as bare samples: over a pipe ffmpeg cannot fill in a
 * header's lengths.
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

/** Makes `bytes`, known to be `from`, into the handed-out form of `to`. */
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

/** `bytes` of a synthesizer, judged, in the handed-out form of `to`; as they are where that is possible. */
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
 * espeak-ng does not know the length when it writes the header; players that believe it would wait for hours of audio.
 */
const exactHeader = (bytes: Buffer): Buffer =>
  Result.match(readWav(bytes), {
    onFailure: () => bytes,
    onSuccess: ({ bitsPerSample, channels, dataBytes, dataOffset, encoding, sampleRate }) =>
      encoding === 1 && bitsPerSample === 16
        ? writeWav(bytes.subarray(dataOffset, dataOffset + dataBytes), sampleRate, channels)
        : bytes
  })
