import { Schema } from "effect"

/** Reason why a call failed. */
export const IonosDnsReason = Schema.TaggedUnion({
  /** The connection failed, so nothing was sent. */
  NotReached: { detail: Schema.String, retryable: Schema.Boolean },
  /** The request was sent but not answered; the server may have executed it. */
  NoAnswer: { detail: Schema.String },
  /** 429. `retryAfter` in milliseconds, when the answer names it. */
  RateLimited: { retryAfter: Schema.optionalKey(Schema.Finite) },
  /**
   * The API refused the request. `code` is the API's (`UNAUTHORIZED`, `INVALID_RECORD`); `message` is its text,
   * shortened.
   */
  Refused: { status: Schema.Int, code: Schema.String, message: Schema.String },
  /** 5xx from the API or from a proxy before it; the request may have been executed. `retryAfter` in milliseconds. */
  Failed: { status: Schema.Int, retryAfter: Schema.optionalKey(Schema.Finite) },
  /** The answer is not from this API (a redirect, an HTML page) or is too long. */
  NotItsAnswer: { status: Schema.Int, why: Schema.String }
})
export type IonosDnsReason = typeof IonosDnsReason.Type

/** Contains no key. */
export class IonosDnsError extends Schema.TaggedError<IonosDnsError>()("IonosDnsError", {
  operation: Schema.String,
  /** Whether executing the request twice has the same effect as once. */
  idempotent: Schema.Boolean,
  reason: IonosDnsReason
}) {
  /** Whether a retry of the call is safe and can succeed. */
  get repeatable(): boolean {
    return IonosDnsReason.match(this.reason, {
      NotReached: ({ retryable }) => retryable,
      NoAnswer: () => this.idempotent,
      RateLimited: () => true,
      Refused: () => false,
      Failed: () => this.idempotent,
      NotItsAnswer: () => false
    })
  }

  /** Wait that the server asks for, in milliseconds; undefined when it names none. */
  get retryAfter(): number | undefined {
    return "retryAfter" in this.reason ? this.reason.retryAfter : undefined
  }

  override get message(): string {
    return `${this.operation}: ${sentence(this.reason)}`
  }
}

const sentence = IonosDnsReason.match({
  NotReached: ({ detail }) => detail,
  NoAnswer: ({ detail }) => detail,
  RateLimited: () => "too many requests (429)",
  Refused: ({ code, message, status }) => `${message} (${status} ${code})`,
  Failed: ({ status }) => `the server failed (${status})`,
  NotItsAnswer: ({ status, why }) => `unusable answer (${status}): ${why}`
})
