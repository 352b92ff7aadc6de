/** The audio of a call: speech, or a tone when speech is not available. A missing voice never loses a call. */
import { Duration, Effect } from "effect"
import type { Provider, Speech } from "#core/speech/Speech.ts"
import type { SpeechUrls } from "#core/speech/SpeechUrl.ts"
import { alarmTone, type CallAudio, isPlayable } from "./CallPlan.ts"

/** The speech service, and whether the switch reads its files by path (SIGNALBOX_SPEECH_DIR) or by HTTP. */
export interface Voice {
  readonly speech: Speech["Service"]
  readonly urls: SpeechUrls["Service"]
  readonly sharedFolder: boolean
}

export interface Wish {
  readonly text: string
  readonly provider: Provider
  readonly voice: string | undefined
}

/**
 * Time limit of speech synthesis. Unit: seconds. Reason: above the limits of the speech service (25 s of a hanging
 * gateway, then this machine's voice with its queue): late words are better than an early tone.
 */
const patience = Duration.seconds(45)

export interface Heard {
  readonly audio: CallAudio
  /** For the ledger, when another voice or a tone was used. */
  readonly note: string | undefined
}

export const audioOf = (voice: Voice, { provider, text, voice: name }: Wish): Effect.Effect<Heard> =>
  Effect.gen(function* () {
    const spoken = yield* voice.speech.synthesize({
      text,
      provider,
      format: "wav",
      ...(name === undefined ? {} : { voice: name })
    })
    const location = voice.sharedFolder ? spoken.path : yield* voice.urls.url(spoken.name)
    if (!isPlayable(location))
      return yield* Effect.fail({
        message: "the path of the speech folder holds characters that a switch reads as its own"
      })
    const { fellBackFrom } = spoken
    const note =
      fellBackFrom === undefined
        ? undefined
        : `spoken by ${spoken.engine} instead of ${fellBackFrom.provider} (${fellBackFrom.reason})`
    return { audio: { location, durationMs: spoken.durationMs }, note }
  }).pipe(
    Effect.timeoutOrElse({
      duration: patience,
      orElse: () => Effect.fail({ message: `none within ${Duration.toSeconds(patience)} s` })
    }),
    Effect.catch((error) => Effect.succeed({ audio: alarmTone, note: `without a voice: ${error.message}` }))
  )
