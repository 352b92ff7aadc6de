/**
 * A voice message: the spoken text with a caption. Where speech fails or voice is refused, the text is sent as text,
 * and the outcome says why. The API knows no idempotency key: an attempt without an answer is in doubt, and its repeat
 * is marked.
 */
import { readFile } from "node:fs/promises"
import { Duration, Effect, Result } from "effect"
import type { Provider, SpokenAudio } from "#core/speech/Speech.ts"
import { Speech } from "#core/speech/Speech.ts"
import { maxSpokenCharacters } from "#core/speech/SpokenText.ts"
import { BotApi } from "#protocols/bot-api/BotApi.ts"
import type { BotApiError } from "#protocols/bot-api/BotApiError.ts"
import { splitText } from "#protocols/bot-api/SplitText.ts"
import { maxCaptionLength } from "#protocols/bot-api/Voice.ts"
import type { Severity } from "../../vocabulary/Exports.ts"
import * as Messenger from "./Messenger.ts"
import type { Outcome } from "../Outcome.ts"

export interface VoiceDelivery extends Messenger.MessengerDelivery {
  /** The caption when the request names none; may be empty. */
  readonly title: string
  /** The caption of the request. */
  readonly caption?: string
  /** Default `defaultProvider`. */
  readonly provider?: Provider
  readonly voice?: string
}

/**
 * Speech provider of a request that names none. Source: interface document, messenger voice request, `tts_provider`.
 */
export const defaultProvider: Provider = "local_gpu"

/**
 * Longest wait for speech. Reason: above the limits of the speech service together (queue, gateway, this machine's own
 * voice).
 */
export const speechTimeout = Duration.seconds(45)

/** The caption of every attempt: notice of a possible repeat, severity, text; cut with `…`. */
export const captionOf = ({
  caption,
  possibleSecond,
  severity,
  title
}: Pick<VoiceDelivery, "caption" | "possibleSecond" | "severity" | "title">): string => {
  const said = caption?.trim() || title.trim()
  const head = `${possibleSecond ? `${Messenger.secondNotice}\n` : ""}${prefixOf(severity)}`
  if (said === "") return head.trim().replace(/:$/, "")
  const room = maxCaptionLength - head.length
  if (said.length <= room) return `${head}${said}`.trim()
  // On one line, because a text is cut at line ends first and the first line may be short.
  const [first = ""] = splitText(said.replace(/\s+/g, " "), room - 1)
  return `${head}${first}…`
}

const prefixOf = (severity: Severity | undefined): string => (severity === undefined ? "" : `${severity}: `)

/** Speaks and sends. Continues as text when an earlier attempt sent parts as text. */
export const deliver = Effect.fn("MessengerVoice.deliver")(function* (delivery: VoiceDelivery) {
  if ((delivery.partsSent ?? 0) > 0) return yield* asText(delivery, "it was begun as text")
  if (delivery.text.trim().length > maxSpokenCharacters)
    return yield* asText(delivery, `it is longer than the ${maxSpokenCharacters} characters that are spoken`)
  const spoken = yield* Effect.result(speech(delivery))
  if (Result.isFailure(spoken)) return yield* asText(delivery, spoken.failure)
  const { audio, bytes } = spoken.success
  const api = yield* BotApi
  const sent = yield* Messenger.following(delivery.chatId, (chatId) =>
    Effect.map(
      api.sendVoice({
        chatId,
        voice: bytes,
        name: voiceName,
        caption: captionOf(delivery),
        durationMs: audio.durationMs
      }),
      (message) => ({ chatId, message })
    )
  ).pipe(Effect.result)
  if (Result.isFailure(sent))
    return refusesVoice(sent.failure)
      ? yield* asText(delivery, sent.failure.message)
      : Messenger.failed(sent.failure, 0)
  const { chatId, message } = sent.success
  return {
    _tag: "Delivered",
    detail: [
      `${message.voice === undefined ? "voice file" : "voice message"} ${message.message_id}, ${spokenBy(audio)}`,
      ...(chatId === delivery.chatId ? [] : [`the chat has moved to ${chatId}`])
    ].join("; ")
  } satisfies Outcome as Outcome
})

const voiceName = "alarm.ogg"

/** The audio, read completely, because the cache may remove the file during sending. Fails with the reason. */
const speech = Effect.fnUntraced(function* ({ provider = defaultProvider, text, voice }: VoiceDelivery) {
  const audio = yield* (yield* Speech)
    .synthesize({ text, provider, format: "ogg", ...(voice === undefined ? {} : { voice }) })
    .pipe(
      Effect.mapError(({ message }) => message),
      Effect.timeoutOrElse({
        duration: speechTimeout,
        orElse: () => Effect.fail(`speaking took more than ${Duration.toSeconds(speechTimeout)} s`)
      })
    )
  const bytes = yield* Effect.tryPromise({
    try: (signal) => readFile(audio.path, { signal }),
    catch: () => "the audio file could not be read"
  })
  return { audio, bytes: new Uint8Array(bytes) }
})

const spokenBy = ({ durationMs, fellBackFrom, provider }: SpokenAudio): string =>
  `${(durationMs / 1_000).toFixed(1)} s by ${provider}` +
  (fellBackFrom === undefined ? "" : `, since ${fellBackFrom.provider}: ${fellBackFrom.reason}`)

/** Errors that refuse the voice, not the chat. Other 400 errors are ambiguous; sending the text then decides. */
const refusesVoice = ({ reason }: BotApiError): boolean =>
  ["BadRequest", "TooLarge", "Unsendable", "VoiceForbidden"].includes(reason._tag)

const asText = (delivery: VoiceDelivery, why: string) => {
  const caption = delivery.caption?.trim() ?? ""
  const text = caption === "" ? delivery.text : `${caption}\n${delivery.text}`
  return Effect.map(Messenger.deliver({ ...delivery, text }), (outcome): Outcome => {
    const told = `; as text, since ${why}`
    return outcome._tag === "Delivered"
      ? { ...outcome, detail: outcome.detail + told }
      : { ...outcome, reason: outcome.reason + told }
  })
}
