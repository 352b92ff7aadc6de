/** The audio of a call: spoken and placed, or a tone when that is not to be had. A call is never lost for want of a voice. */
import { Duration, Effect } from "effect"
import type { Provider, Speech } from "#core/speech/Speech.ts"
import type { SpeechUrls } from "#core/speech/SpeechUrl.ts"
import { alarmTone, type CallAudio, isPlayable } from "./CallPlan.ts"

/** What speaks, and whether the switch reads the files under our path (SIGNALBOX_SPEECH_DIR) or fetches them. */
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
 * How long a voice may take before the call is made without. Unit: seconds. Reason: above the speech service's own bounds
 * together (25 s of a gateway that hangs, then this machine's voice behind those before it): words now beat a tone sooner.
 */
const patience = Duration.seconds(45)

export interface Heard {
  readonly audio: CallAudio
  /** For the ledger, when it is not the voice that was asked for. */
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
