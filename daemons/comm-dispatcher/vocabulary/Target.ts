/** Terms for the receivers of an alarm: severity, channel, target and its options. */
import { Schema } from "effect"
import { Language } from "#core/words/Language.ts"

export const severities = ["ALERT", "CRITICAL", "WARNING", "INFO"] as const
export type Severity = (typeof severities)[number]

/** Order within a queue: higher goes first. */
export const priorityOf: Record<Severity, number> = { ALERT: 30, CRITICAL: 20, WARNING: 10, INFO: 0 }

/**
 * Who asks for a delivery. `alarm_mail`: an alarm of the provider's own mailboxes, of its SMTP listener, of a machine
 * with a service token, or of the operator. `alarm`: an alarm that a user triggered by the API. `request`: a direct
 * request.
 */
export type DeliveryKind = "alarm_mail" | "alarm" | "request"

/** Channels of an alarm. An alarm subject may use any letter case; elsewhere they are in lower case. */
export const channels = ["call", "messenger", "messenger_voice", "webhook", "sms"] as const
export type Channel = (typeof channels)[number]

/**
 * `target`: E.164 with `+` (call, sms), integer or `@name` in lower case (messenger…), absolute http(s) URL (webhook).
 */
export interface AlarmTarget {
  readonly channel: Channel
  readonly target: string
}

/** The speech providers by their names in the interface (document 1 §2.4). */
export const ttsProviders = ["local_fast", "local_gpu", "cloud"] as const

/** Options that only some channels use. The channel supplies its default for an option that is absent. */
export const TargetOptions = Schema.Struct({
  tts_provider: Schema.optionalKey(Schema.Literals(ttsProviders)),
  tts_voice: Schema.optionalKey(Schema.String),
  gateway: Schema.optionalKey(Schema.String),
  /** Pause after the answer of a call. Unit: milliseconds. */
  pause_ms: Schema.optionalKey(Schema.Int),
  repeat: Schema.optionalKey(Schema.Int),
  /** Language of the text of a call. Default: detected. */
  language: Schema.optionalKey(Language),
  caption: Schema.optionalKey(Schema.String)
})
export type TargetOptions = typeof TargetOptions.Type
