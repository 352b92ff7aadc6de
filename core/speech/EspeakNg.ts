/**
 * Speech by espeak-ng on this machine: always available, with a plain but understandable voice. Needs no server and no
 * network.
 */
import { Duration, Effect } from "effect"
import { maxAudioBytes } from "./Audio.ts"
import { runProgram } from "./BoundedProgram.ts"
import type { SpeechError } from "./SpeechError.ts"

/**
 * Voice that is used when the requested one is not installed. Source: the interface document requires German for
 * local_fast.
 */
export const espeakVoice = "de"

/** Speaking rate. Unit: words a minute. Reason: the default of 175 is hard to follow on a telephone. */
const wordsPerMinute = 150

/** Time limit of one run. Reason: espeak-ng generates a minute of audio in half a second. */
export const espeakTimeout = Duration.seconds(10)

/** Speaks the text as WAV, 22,050 Hz mono s16le. The lengths in its header are wrong. */
export const espeak = (text: string, voice: string): Effect.Effect<Buffer, SpeechError> => {
  const speak = (name: string) =>
    runProgram({
      program: "espeak-ng",
      // -b 1: the text is UTF-8. `VoiceAliases.isEspeakVoice` has checked that the voice is neither an option nor a
      // path.
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
