/**
 * Bodies of the direct requests: defaults (interface document 1 §2.4) and bounds. Targets are validated here, so that a
 * 422 names the field. DirectRequest normalises them.
 */
import { Effect, Result, Schema } from "effect"
import { maxBodyLength } from "#core/contracts/Alarm.ts"
import { boundedList } from "#core/http/BoundedList.ts"
import { type Channel, channels, severities, ttsProviders } from "../vocabulary/Exports.ts"
import { isGatewayName, maxPauseMs, maxRepeat, maxSpokenLength } from "../channels/Exports.ts"
import { Language } from "#core/words/Language.ts"
import { sentence } from "./subject/AlarmSubjectError.ts"
import { normaliseTarget } from "./subject/NormaliseTarget.ts"

/**
 * Longest text. Unit: UTF-16 code units. Reason: the bound of an alarm mail's text. A channel with a smaller bound cuts
 * the text and marks the cut.
 */
export const maxTextLength = maxBodyLength

/** Longest target. Unit: UTF-16 code units. Reason: the bound of an alarm subject, which can hold the same target. */
export const maxTargetLength = 2_000

/** Longest caption of a voice message. Unit: UTF-16 code units. Source: caption bound of the bot API. */
export const maxCaptionLength = 1_024

/** Longest name of a voice. Unit: characters. Reason: model names are below 60. */
export const maxVoiceLength = 100

/** Maximum number of targets of one request, without fallbacks. Reason: one request must not dial a whole directory. */
export const maxTargets = 20

/** Maximum number of fallbacks of one target. Reason: one per channel. */
export const maxFallbacks = 5

/**
 * Default pause after the answer, in milliseconds, and default number of repetitions. Source: interface document 1
 * §2.4.
 */
export const defaultPauseMs = 4_000
export const defaultRepeat = 2
export const defaultProvider = "local_gpu"

const limited = (maxLength: number) => Schema.String.pipe(Schema.check(Schema.isMaxLength(maxLength)))

const targetProblem = (channel: Channel, value: string): string | undefined => {
  // The length check reports this problem itself.
  if (value.length > maxTargetLength) return undefined
  const normalised = normaliseTarget(channel, value)
  return Result.isFailure(normalised) ? sentence(normalised.failure) : undefined
}

const targetOf = (channel: Channel, description: string) =>
  limited(maxTargetLength)
    .annotate({ description })
    .pipe(Schema.check(Schema.makeFilter((value) => targetProblem(channel, value))))

const Text = limited(maxTextLength).pipe(
  Schema.check(Schema.makeFilter((text) => (text.trim() === "" ? "must not be empty" : undefined)))
)

/** Texts of calls are spoken whole, so a longer one is refused. */
const SpokenText = Text.check(Schema.isMaxLength(maxSpokenLength))

/**
 * Empty: the provider's default. A model name may contain slashes, but no parent path, absolute path or command-line
 * option.
 */
const Voice = Schema.String.pipe(
  Schema.check(
    Schema.makeFilter((name) =>
      name === "" || (name.length <= maxVoiceLength && /^[\p{L}\p{N}](?!.*\.\.)[\p{L}\p{N} ._+:@/-]*$/u.test(name))
        ? undefined
        : `must be a name of at most ${maxVoiceLength} letters, digits, spaces and . _ + : @ / -, beginning with a ` +
          `letter or digit; or empty`
    )
  )
)

/** Empty: the configured default. */
const Gateway = Schema.String.pipe(
  Schema.check(
    Schema.makeFilter((name) =>
      name === "" || isGatewayName(name)
        ? undefined
        : "must be a name of at most 64 letters, digits and . _ -, beginning with a letter or digit; or empty"
    )
  )
)

const PauseMs = Schema.Int.pipe(
  Schema.check(Schema.isBetween({ minimum: 0, maximum: maxPauseMs })),
  Schema.annotate({ description: "Pause after the call is answered, in milliseconds" })
)
const Repeat = Schema.Int.pipe(
  Schema.check(Schema.isBetween({ minimum: 1, maximum: maxRepeat })),
  Schema.annotate({ description: "How many times the message is spoken" })
)
const Caption = limited(maxCaptionLength)
const Provider = Schema.Literals(ttsProviders)
const empty = Effect.succeed("" as const)

const provider = Provider.annotate({ default: defaultProvider }).pipe(
  Schema.withDecodingDefaultKey(Effect.succeed(defaultProvider))
)
const voice = Voice.pipe(Schema.withDecodingDefaultKey(empty))
/** Empty: none. */
const severity = Schema.Literals(["", ...severities])
  .annotate({ default: "" })
  .pipe(Schema.withDecodingDefaultKey(empty))

export const CallRequest = Schema.Struct({
  target: targetOf("call", "Phone number, E.164"),
  text: SpokenText,
  /** Language of the text, for the words around it. Default: detected. */
  language: Schema.optionalKey(Language),
  tts_provider: provider,
  tts_voice: voice,
  gateway: Gateway.pipe(Schema.withDecodingDefaultKey(empty)),
  pause_ms: PauseMs.annotate({ default: defaultPauseMs }).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed(defaultPauseMs))
  ),
  repeat: Repeat.annotate({ default: defaultRepeat }).pipe(Schema.withDecodingDefaultKey(Effect.succeed(defaultRepeat)))
}).annotate({ identifier: "CallRequest" })
export type CallRequest = typeof CallRequest.Type

export const MessengerRequest = Schema.Struct({
  chat_id: targetOf("messenger", "Chat identifier: an integer, or @name"),
  text: Text,
  severity
}).annotate({ identifier: "MessengerRequest" })
export type MessengerRequest = typeof MessengerRequest.Type

export const MessengerVoiceRequest = Schema.Struct({
  chat_id: targetOf("messenger_voice", "Chat identifier: an integer, or @name"),
  text: Text,
  caption: Caption.pipe(Schema.withDecodingDefaultKey(empty)),
  tts_provider: provider,
  tts_voice: voice
}).annotate({ identifier: "MessengerVoiceRequest" })
export type MessengerVoiceRequest = typeof MessengerVoiceRequest.Type

/**
 * Channel and target. The options are those of the channel's own request; they override the options of the whole
 * request.
 */
const reach = {
  channel: Schema.Literals(channels),
  target: limited(maxTargetLength).annotate({
    description: "Phone number (call, sms), chat id (messenger, messenger_voice), URL (webhook)"
  }),
  tts_provider: Schema.optionalKey(Provider),
  tts_voice: Schema.optionalKey(Voice),
  gateway: Schema.optionalKey(Gateway),
  pause_ms: Schema.optionalKey(PauseMs),
  repeat: Schema.optionalKey(Repeat),
  language: Schema.optionalKey(Language),
  caption: Schema.optionalKey(Caption)
}

const ofItsChannel = Schema.makeFilter(
  ({ channel, target }: { readonly channel: Channel; readonly target: string }) => {
    const issue = targetProblem(channel, target)
    return issue === undefined ? undefined : { path: ["target"], issue }
  }
)

const Fallback = Schema.Struct(reach).pipe(Schema.check(ofItsChannel))

const Notified = Schema.Struct({
  ...reach,
  /** Tried in this order. Each is tried when the one before it has failed for good. */
  fallback: boundedList(Fallback, { minimum: 0, maximum: maxFallbacks }).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed([]))
  )
}).pipe(Schema.check(ofItsChannel))

export const NotifyRequest = Schema.Struct({
  channels: boundedList(Notified, { minimum: 1, maximum: maxTargets }),
  text: Text,
  severity,
  tts_provider: provider,
  tts_voice: voice
})
  .pipe(
    Schema.check(
      Schema.makeFilter(({ channels, text }) =>
        text.length > maxSpokenLength &&
        channels.some(({ channel, fallback }) => [channel, ...fallback.map((other) => other.channel)].includes("call"))
          ? { path: ["text"], issue: `must not be longer than ${maxSpokenLength} characters to be spoken in a call` }
          : undefined
      )
    )
  )
  .annotate({ identifier: "NotifyRequest" })
export type NotifyRequest = typeof NotifyRequest.Type
