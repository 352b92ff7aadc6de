/** Utterances of the word by the speech gateway, where it is set. Its voices are few, so they only help training. */
import { Effect } from "effect"
import type { Provider } from "#core/speech/Audio.ts"
import * as SpeechGateway from "#core/speech/SpeechGateway.ts"
import type { TrainingConfig } from "./TrainingSettings.ts"

/** Providers that are asked. The cloud gets a tenant's word only where the operator lets it speak for others. */
export const providersOf = ({ ttsStandIns }: Pick<TrainingConfig, "ttsStandIns">): ReadonlyArray<Provider> => [
  ...new Set<Provider>(["local_gpu", "local_fast", ...ttsStandIns])
]

/** The word as WAV by each provider that answers; the others are left out. */
export const utterances = (config: TrainingConfig, word: string): Effect.Effect<ReadonlyArray<Uint8Array>> => {
  const { ttsToken, ttsUrl } = config
  if (ttsUrl === undefined) return Effect.succeed([])
  const gateway = SpeechGateway.make(ttsUrl, ttsToken)
  return Effect.map(
    Effect.forEach(providersOf(config), (provider) =>
      gateway
        .synthesize({ text: word, provider, voice: undefined, format: "wav" }, SpeechGateway.providerTimeouts[provider])
        .pipe(
          Effect.map((wav): ReadonlyArray<Uint8Array> => [new Uint8Array(wav)]),
          Effect.catch((error) =>
            Effect.as(Effect.logWarning(`the speech gateway does not speak the word: ${error.message}`), [])
          )
        )
    ),
    (found) => found.flat()
  )
}
