import { Schema } from "effect"

/** Why there is no audio. Texts never hold the spoken text or the gateway's token. */
export const SpeechReason = Schema.TaggedUnion({
  /** Nothing to say is left of the text. */
  EmptyText: {},
  NotConfigured: {},
  NotInstalled: { program: Schema.String, command: Schema.String },
  /** No connection to the gateway came about. */
  Unreachable: { code: Schema.String },
  /** The connection ended before the answer did. */
  ConnectionLost: { code: Schema.String },
  /** Every place at the gateway is taken; it may be well. */
  Busy: { milliseconds: Schema.Finite },
  /** The providers before it have used up the time there was. */
  OutOfTime: {},
  TimedOut: { what: Schema.String, milliseconds: Schema.Finite },
  /** The gateway said no: 4xx for this request, 5xx for now. */
  Refused: { status: Schema.Int },
  /** What came is no audio of the asked kind, cut, silent or too long. */
  BadAnswer: { why: Schema.String },
  /** Left alone for a while because it failed. */
  Resting: { why: Schema.String },
  /** A program ended with a failure, or gave too much. */
  ProgramFailed: { program: Schema.String, why: Schema.String },
  /** The audio cannot be kept: disk full, folder not writable. */
  Storage: { code: Schema.String },
  /** Nobody could speak; `tried` in order. */
  NoVoice: { tried: Schema.Array(Schema.String), later: Schema.Boolean }
})
export type SpeechReason = typeof SpeechReason.Type

/** A text could not be made into audio. */
export class SpeechError extends Schema.TaggedError<SpeechError>()("SpeechError", { reason: SpeechReason }) {
  /** Whether the same request can succeed later with nobody changing it. */
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
