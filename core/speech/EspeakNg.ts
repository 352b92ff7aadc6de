/**
 * espeak-ng on this machine: the voice that is always there, plain and understandable, with no server and no network.
 */
import { Duration, Effect } from "effect"
import { maxAudioBytes } from "./Audio.ts"
import { runProgram } from "./BoundedProgram.ts"
import type { SpeechError } from "./SpeechError.ts"

/**
 * The voice when the one asked for is not installed. Source: German is what the interface document asks of local_fast.
 */
export const espeakVoice = "de"

/** Unit: words a minute. Reason: its default of 175 is hard to follow on a telephone. */
const wordsPerMinute = 150

/** Reason: it makes a minute of audio in half a second. */
export const espeakTimeout = Duration.seconds(10)

/** A WAV of 22,050 Hz mono s16le whose header does not know its length. */
export const espeak = (text: string, voice: string): Effect.Effect<Buffer, SpeechError> => {
  const speak = (name: string) =>
    runProgram({
      program: "espeak-ng",
      // -b 1: the text is UTF-8. The voice has been checked to be no option and no path (`VoiceAliases.isEspeakVoice`).
      args: ["--stdin", "-b", "1", "-v", name, "-s", String(wordsPerMinute), "--stdout"],
      input: Buffer.from(text, "utf8"),
      timeout: espeakTimeout,
      maxOutput: maxAudioBytes
    })
  return Effect.withSpan(
    voice === espeakVoice
      ? speak(voice)
      : Effect.catchIf(
          speak(voice),
          (error) => error.reason._tag === "ProgramFailed",
          () => speak(espeakVoice)
        ),
    "Speech.espeak"
  )
}
