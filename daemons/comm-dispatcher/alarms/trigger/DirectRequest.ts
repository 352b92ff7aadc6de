/** Turns a direct request into targets: defaults filled in, targets normalised. Pure. */
import { Result } from "effect"
import type { Channel, Severity, TargetOptions } from "../../vocabulary/Exports.ts"
import {
  type CallRequest,
  defaultPauseMs,
  defaultRepeat,
  type MessengerRequest,
  type MessengerVoiceRequest,
  type NotifyRequest
} from "../CommRequests.ts"
import { normaliseTarget } from "../subject/NormaliseTarget.ts"
import type { TargetSpec } from "../run/TargetSpec.ts"

export interface DirectRequest {
  readonly eventType: "comm.call" | "comm.messenger" | "comm.messenger_voice" | "comm.notify"
  readonly text: string
  readonly severity: Severity | null
  readonly targets: ReadonlyArray<TargetSpec>
}

export const fromCall = ({ target, text, ...options }: CallRequest): DirectRequest => ({
  eventType: "comm.call",
  text,
  severity: null,
  targets: [spec({ channel: "call", target, ...options }, options)]
})

export const fromMessenger = ({ chat_id, severity, text }: MessengerRequest): DirectRequest => ({
  eventType: "comm.messenger",
  text,
  severity: severityOf(severity),
  targets: [{ channel: "messenger", target: oneForm("messenger", chat_id) }]
})

export const fromMessengerVoice = ({ chat_id, text, ...options }: MessengerVoiceRequest): DirectRequest => ({
  eventType: "comm.messenger_voice",
  text,
  severity: null,
  targets: [spec({ channel: "messenger_voice", target: chat_id, ...options }, options)]
})

export const fromNotify = ({ channels, severity, text, ...voice }: NotifyRequest): DirectRequest => ({
  eventType: "comm.notify",
  text,
  severity: severityOf(severity),
  targets: once(
    channels.map((item): TargetSpec => {
      const first = spec(item, voice)
      const fallback = once(item.fallback.map((other) => spec(other, voice))).filter(
        (other) => keyOf(other) !== keyOf(first)
      )
      return fallback.length === 0 ? first : { ...first, fallback }
    })
  )
})

type Voice = Required<Pick<TargetOptions, "tts_provider" | "tts_voice">>

/** Keeps only the options that the channel uses. */
const spec = (
  asked: { readonly channel: Channel; readonly target: string } & TargetOptions,
  voice: Voice
): TargetSpec => {
  const { channel } = asked
  const whom = { channel, target: oneForm(channel, asked.target) }
  const tts_voice = asked.tts_voice || voice.tts_voice
  const spoken = { tts_provider: asked.tts_provider ?? voice.tts_provider, ...(tts_voice === "" ? {} : { tts_voice }) }
  switch (channel) {
    case "call":
      return {
        ...whom,
        options: {
          ...spoken,
          ...(asked.gateway ? { gateway: asked.gateway } : {}),
          ...(asked.language === undefined ? {} : { language: asked.language }),
          pause_ms: asked.pause_ms ?? defaultPauseMs,
          repeat: asked.repeat ?? defaultRepeat
        }
      }
    case "messenger_voice":
      return {
        ...whom,
        options: {
          ...spoken,
          ...(asked.caption ? { caption: asked.caption.replaceAll("\0", "\uFFFD").toWellFormed() } : {})
        }
      }
    case "messenger":
    case "webhook":
    case "sms":
      return whom
  }
}

/** Cannot fail: the request's schema has validated the target. */
const oneForm = (channel: Channel, target: string): string => Result.getOrThrow(normaliseTarget(channel, target))

const severityOf = (severity: "" | Severity): Severity | null => (severity === "" ? null : severity)

const keyOf = ({ channel, target }: TargetSpec): string => `${channel}+${target}`

/** A repeated target counts once, as in a subject: the first. */
const once = (specs: ReadonlyArray<TargetSpec>): ReadonlyArray<TargetSpec> => {
  const byKey = new Map<string, TargetSpec>()
  for (const one of specs) if (!byKey.has(keyOf(one))) byKey.set(keyOf(one), one)
  return [...byKey.values()]
}
