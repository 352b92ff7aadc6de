import { Schema } from "effect"

/** Reasons why no audio was generated. None contains the text or the gateway's token. */
export const SpeechReason = Schema.TaggedUnion({
  /** The text is empty after cleaning. */
  EmptyText: {},
  NotConfigured: {},
  NotInstalled: { program: Schema.String, command: Schema.String },
  /** No connection to the gateway. */
  Unreachable: { code: Schema.String },
  /** The connection closed before the response was complete. */
  ConnectionLost: { code: Schema.String },
  /** All request slots of the gateway are in use; it may be healthy. */
  Busy: { milliseconds: Schema.Finite },
  /** The providers tried before have used up the time budget. */
  OutOfTime: {},
  TimedOut: { what: Schema.String, milliseconds: Schema.Finite },
  /** The gateway refused: 4xx for this request, 5xx temporarily. */
  Refused: { status: Schema.Int },
  /** The response is not audio of the requested format, or is truncated, silent or too long. */
  BadAnswer: { why: Schema.String },
  /** The provider is skipped for a while because it failed. */
  Resting: { why: Schema.String },
  /** A program failed or wrote too much output. */
  ProgramFailed: { program: Schema.String, why: Schema.String },
  /** The audio cannot be stored: disk full, or folder not writable. */
  Storage: { code: Schema.String },
  /** No engine could speak; `tried` lists them in order. */
  NoVoice: { tried: Schema.Array(Schema.String), later: Schema.Boolean }
})
export type SpeechReason = typeof SpeechReason.Type

/** A text could not be synthesised. */
export class SpeechError extends Schema.TaggedError<SpeechError>()("SpeechError", { reason: SpeechReason }) {
  /** Whether the same request can succeed later without any change. */
  get retryable(): boolean {
    return retryable(this.reason)
  }

  override get message(): string {
    return sentence(this.reason)
  }
}

export const speechError = (reason: SpeechReason): SpeechError => new SpeechError({ reason })

const retryable = SpeechReason.match({
  EmptyText: () => false,
  NotConfigured: () => false,
  NotInstalled: () => false,
  Unreachable: () => true,
  ConnectionLost: () => true,
  Busy: () => true,
  OutOfTime: () => true,
  TimedOut: () => true,
  Refused: ({ status }) => status >= 500 || status === 408 || status === 429,
  BadAnswer: () => true,
  Resting: () => true,
  ProgramFailed: () => false,
  Storage: () => true,
  NoVoice: ({ later }) => later
})

const sentence = SpeechReason.match({
  EmptyText: () => "there is nothing to say in this text",
  NotConfigured: () => "no speech gateway is configured",
  NotInstalled: ({ command, program }) => `${program} is not installed: ${command}`,
  Unreachable: ({ code }) => `the speech gateway cannot be reached (${code})`,
  ConnectionLost: ({ code }) => `the speech gateway cut the connection (${code})`,
  Busy: ({ milliseconds }) => `the speech gateway was busy for ${milliseconds} ms`,
  OutOfTime: () => "no time was left to ask",
  TimedOut: ({ milliseconds, what }) => `${what} did not finish within ${milliseconds} ms`,
  Refused: ({ status }) => `the speech gateway refused (${status})`,
  BadAnswer: ({ why }) => `what was answered is no usable audio: ${why}`,
  Resting: ({ why }) => `left alone since it failed: ${why}`,
  ProgramFailed: ({ program, why }) => `${program} failed: ${why}`,
  Storage: ({ code }) => `the audio cannot be kept on disk (${code})`,
  NoVoice: ({ tried }) => `nobody could speak: ${tried.join("; ")}`
})
