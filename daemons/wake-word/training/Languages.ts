/** Languages that a word can be trained in: those with sentences of their own that espeak-ng speaks here. */
import { Duration, Effect } from "effect"
import { hasProgram } from "#core/speech/BoundedProgram.ts"
import type { Language } from "#protocols/wake-word/Sentences.ts"
import { voicesOf } from "./work/Espeak.ts"

const languages: ReadonlyArray<Language> = ["de", "en"]

/** How long the answer of espeak-ng is used. Reason: an installed voice is found without a restart. */
const kept = Duration.minutes(10)

export interface Spoken {
  readonly language: string
  readonly voices: number
}

/** Asks espeak-ng; empty where it is not installed or does not answer. */
export const make: Effect.Effect<Effect.Effect<ReadonlyArray<Spoken>>> = Effect.cachedWithTTL(
  Effect.suspend(() =>
    hasProgram("espeak-ng")
      ? Effect.map(
          Effect.forEach(languages, (language) =>
            Effect.map(
              Effect.catchCause(voicesOf(language), () => Effect.succeed([])),
              (voices): Spoken => ({ language, voices: voices.length })
            )
          ),
          (found) => found.filter(({ voices }) => voices > 0)
        )
      : Effect.succeed([])
  ),
  kept
)
