import { Schema } from "effect"

/** Why a call of a LibreTranslate server failed. */
export const LibreTranslateReason = Schema.TaggedUnion({
  /** The server was not reached; it has read nothing of the request. */
  NotReached: { detail: Schema.String },
  /** No answer; the server may have translated. */
  NoAnswer: { detail: Schema.String },
  /** 429. `retryAfter`: what the server asks for, in milliseconds; null when it names no time. */
  SlowDown: { retryAfter: Schema.NullOr(Schema.Number) },
  /** 403: a wrong key, or a ban after too many requests. */
  Forbidden: { message: Schema.String },
  /** 400: the server does not take this request, such as a pair of languages or a text that is too long. */
  Refused: { message: Schema.String },
  /** 500: the server could not translate these texts. */
  Failed: { message: Schema.String },
  /** The answer is not one of LibreTranslate, for example the error page of a proxy. */
  NotItsAnswer: { status: Schema.Int, why: Schema.String }
})
export type LibreTranslateReason = typeof LibreTranslateReason.Type

export class LibreTranslateError extends Schema.TaggedError<LibreTranslateError>()("LibreTranslateError", {
  operation: Schema.String,
  reason: LibreTranslateReason
}) {
  /** Whether the same call can succeed later. */
  get retryable(): boolean {
    return retryable(this.reason)
  }

  override get message(): string {
    return `${this.operation}: ${sentence(this.reason)}`
  }
}

const retryable = LibreTranslateReason.match({
  NotReached: () => true,
  NoAnswer: () => true,
  SlowDown: () => true,
  Forbidden: () => false,
  Refused: () => false,
  Failed: () => false,
  NotItsAnswer: ({ status }) => status >= 500
})

const sentence = LibreTranslateReason.match({
  NotReached: ({ detail }) => `the server is not reached: ${detail}`,
  NoAnswer: ({ detail }) => `the server does not answer: ${detail}`,
  SlowDown: () => "the server asks to slow down",
  Forbidden: ({ message }) => `the server refuses access: ${message}`,
  Refused: ({ message }) => `the server refuses the request: ${message}`,
  Failed: ({ message }) => `the server cannot translate: ${message}`,
  NotItsAnswer: ({ status, why }) => `the answer (${status}) is not LibreTranslate's: ${why}`
})
