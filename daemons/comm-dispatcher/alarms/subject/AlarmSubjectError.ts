import { Schema } from "effect"

/** One tag per kind of mistake. `text` and `word` are excerpts of the subject that are safe to show (see `excerpt`). */
export const AlarmSubjectReason = Schema.TaggedUnion({
  Empty: {},
  TooLong: { limit: Schema.Int },
  ControlCharacter: { codePoint: Schema.Int },
  MissingSeverity: {},
  UnknownSeverity: { word: Schema.String },
  MissingTarget: {},
  UnknownChannel: { word: Schema.String },
  ExpectedTarget: { text: Schema.String },
  EmptyTarget: { channel: Schema.String },
  InvalidPhoneNumber: { text: Schema.String, why: Schema.String },
  InvalidChatId: { text: Schema.String },
  InvalidUrl: { why: Schema.String },
  TooManyTargets: { limit: Schema.Int },
  InvalidRetry: { text: Schema.String },
  AttemptsOutOfRange: { limit: Schema.Int },
  PauseOutOfRange: { limit: Schema.Int },
  DuplicateRetry: {},
  RetryNotLast: {}
})
export type AlarmSubjectReason = typeof AlarmSubjectReason.Type

/** Why a subject is no alarm. `position` is the 0-based offset (UTF-16 code units) in the original subject. */
export class AlarmSubjectError extends Schema.TaggedError<AlarmSubjectError>()("AlarmSubjectError", {
  reason: AlarmSubjectReason,
  position: Schema.Int
}) {
  /** A sentence for people. Contains no URL, because URLs may carry secrets. */
  override get message(): string {
    return `${sentence(this.reason)} (at character ${this.position + 1})`
  }
}

/** Longest excerpt. Unit: UTF-16 code units. Reason: enough to recognise the word in a one-line message. */
const excerptLength = 40

/** A bounded excerpt of hostile text for a log line: no control, bidi or lone surrogate characters. */
export const excerpt = (text: string): string => {
  const shown = text.slice(0, excerptLength).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "�")
  return text.length > excerptLength ? `${shown}…` : shown
}

/** A sentence for people, without the position. Contains no URL, because URLs may carry secrets. */
export const sentence = AlarmSubjectReason.match({
  Empty: () => "The subject is empty",
  TooLong: ({ limit }) => `The subject is longer than ${limit} characters`,
  ControlCharacter: ({ codePoint }) =>
    `The subject holds the control character U+${codePoint.toString(16).toUpperCase().padStart(4, "0")}`,
  MissingSeverity: () => "A severity and a colon must come first: ALERT, CRITICAL, WARNING or INFO",
  UnknownSeverity: ({ word }) => `“${word}” is no severity: use ALERT, CRITICAL, WARNING or INFO`,
  MissingTarget: () => "At least one CHANNEL+TARGET must follow the severity",
  UnknownChannel: ({ word }) => `Unknown channel “${word}”: use CALL, MESSENGER, MESSENGER_VOICE, WEBHOOK or SMS`,
  ExpectedTarget: ({ text }) => `Expected CHANNEL+TARGET or RETRY:NxMm, found “${text}”`,
  EmptyTarget: ({ channel }) => `${channel.toUpperCase()} has no target`,
  InvalidPhoneNumber: ({ text, why }) => `“${text}” is no international phone number: ${why}`,
  InvalidChatId: ({ text }) => `“${text}” is no chat id: use an integer or @channel`,
  InvalidUrl: ({ why }) => `The webhook address is not usable: ${why}`,
  TooManyTargets: ({ limit }) => `More than ${limit} targets`,
  InvalidRetry: ({ text }) => `“${text}” is no retry rule: write RETRY:3x5m for 3 attempts with 5 minutes between them`,
  AttemptsOutOfRange: ({ limit }) => `RETRY takes 1 to ${limit} attempts`,
  PauseOutOfRange: ({ limit }) => `RETRY takes a pause of 0 to ${limit} minutes`,
  DuplicateRetry: () => "RETRY is given twice",
  RetryNotLast: () => "RETRY must come after the last target"
})
