/** Synthesises a word: by the speech gateway, or without one by espeak-ng of this machine. */
import { Duration, Effect } from "effect"
import { finish } from "#core/speech/Conversion.ts"
import { espeak } from "#core/speech/EspeakNg.ts"
import * as SpeechGateway from "#core/speech/SpeechGateway.ts"
import { speechSettings } from "#core/speech/SpeechSettings.ts"
import { reaching } from "./Reach.ts"
import { type Found, type TestResult, timed } from "./Result.ts"
import { said } from "./Texts.ts"
import type { Trial } from "./Trial.ts"

/** Time limit of the gateway. Reason: a person waits. */
const timeout = Duration.seconds(10)

const word = "Test."

export const testSpeech = ({ value }: Trial): Effect.Effect<ReadonlyArray<TestResult>> =>
  Effect.gen(function* () {
    const url = value(speechSettings.ttsUrl)
    const made =
      url === undefined
        ? Effect.flatMap(espeak(word, value(speechSettings.ttsEspeakVoice)), (bytes) => finish(bytes, "wav", "wav"))
        : SpeechGateway.make(url, value(speechSettings.ttsToken))
            .synthesize({ text: word, provider: "local_fast", voice: undefined, format: "wav" }, timeout)
            .pipe(Effect.flatMap((bytes) => finish(bytes, "wav", "wav")))
    const look = made.pipe(
      Effect.map(({ facts: { durationMs } }): Found => ({
        ok: true,
        text: said((t) => t.spoken({ milliseconds: durationMs }))
      })),
      Effect.catch((error) =>
        Effect.succeed<Found>({ ok: false, text: said((t) => t.notSpoken), detail: error.message })
      )
    )
    return [
      url === undefined
        ? yield* timed("espeak-ng", look)
        : yield* timed(speechSettings.ttsUrl.name, reaching(new URL(url).hostname, look))
    ]
  })
