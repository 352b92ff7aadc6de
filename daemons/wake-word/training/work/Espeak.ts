/** Speaks utterances with espeak-ng, and asks it for its voices. */
import { Duration, Effect, Result } from "effect"
import { runProgram } from "#core/speech/BoundedProgram.ts"
import { codeOf } from "#core/probes/Finding.ts"
import { type SpeechError, speechError } from "#core/speech/SpeechError.ts"
import { readSeries, seriesArguments, seriesText } from "#protocols/wake-word/Series.ts"
import { espeakArguments, parseVariants, parseVoices, type Utterance } from "#protocols/wake-word/Voices.ts"
import { readWav } from "#protocols/wake-word/Wav.ts"
import type { WakeWordError } from "#protocols/wake-word/WakeWordError.ts"
import { dataOf, makeVoiceData } from "../../engine/Exports.ts"

const program = "espeak-ng"

/** Longest utterance. Unit: seconds. Reason: the longest sentences have a quarter of it. */
const maxSeconds = 60

/** Time limit of one run. Reason: at the lowest priority another program may have the processor for long. */
const timeout = Duration.seconds(60)

/** Longest series. Unit: seconds. Reason: twelve slow utterances of the longest wake word, with their pauses. */
const maxSeriesSeconds = 150

/** Longest output of so many seconds. Unit: bytes. Reason: 22,050 Hz Int16, and its header. */
const outputOf = (seconds: number): number => seconds * 22_050 * 2 + 4_096

const run = (args: ReadonlyArray<string>, input = "", seconds = maxSeconds): Effect.Effect<Buffer, SpeechError> =>
  runProgram({ program, args, input: Buffer.from(input, "utf8"), timeout, maxOutput: outputOf(seconds) })

/** The utterance, 16 kHz. `data`: from `voiceData`. */
export const speak = (utterance: Utterance, data?: string): Effect.Effect<Int16Array, SpeechError | WakeWordError> =>
  Effect.flatMap(run(espeakArguments(utterance, data), utterance.text), (wav) =>
    Result.match(readWav(wav, { seconds: maxSeconds }), { onFailure: Effect.fail, onSuccess: Effect.succeed })
  )

/**
 * Utterances of one voice, in order, by one run of the program. If the audio of this run cannot be divided, by one run
 * for each utterance.
 */
export const speakSeries = (
  utterances: ReadonlyArray<Utterance>,
  data?: string
): Effect.Effect<ReadonlyArray<Int16Array>, SpeechError | WakeWordError> => {
  const [first, ...more] = utterances
  const alone = Effect.forEach(utterances, (utterance) => speak(utterance, data))
  if (first === undefined || more.length === 0) return alone
  return run(seriesArguments(first, data), seriesText(utterances), maxSeriesSeconds).pipe(
    Effect.map((wav) => readSeries(wav, utterances.length)),
    // A fault that is not due to the series fails the single runs as well.
    Effect.orElseSucceed(() => undefined),
    Effect.flatMap((clips) => (clips === undefined ? alone : Effect.succeed(clips)))
  )
}

/** Makes a data directory with our own variants below `folder`. Undefined: the program names no data directory. */
export const voiceData = (folder: string): Effect.Effect<string | undefined, SpeechError> =>
  Effect.flatMap(run(["--version"]), (version) => {
    const data = dataOf(version.toString("utf8"))
    return data === undefined
      ? Effect.succeed(undefined)
      : Effect.tryPromise({
          try: () => makeVoiceData(data, folder),
          catch: (error) => speechError({ _tag: "Storage", code: codeOf(error) })
        })
  })

/** Voices of a language. */
export const voicesOf = (language: string): Effect.Effect<ReadonlyArray<string>, SpeechError> =>
  Effect.map(run([`--voices=${language}`]), (output) => parseVoices(output.toString("utf8")))

/** Variants that every voice can have. */
export const variants: Effect.Effect<ReadonlyArray<string>, SpeechError> = Effect.map(
  run(["--voices=variant"]),
  (output) => parseVariants(output.toString("utf8"))
)
