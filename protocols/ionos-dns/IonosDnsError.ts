import { Schema } from "effect"

/** What went wrong with a call. */
export const IonosDnsReason = Schema.TaggedUnion({
  /** Nothing was sent. */
  NotReached: { detail: Schema.String, retryable: Schema.Boolean },
  /** Sent, and no answer came: it may have been done. */
  NoAnswer: { detail: Schema.String },
  /** 429. `retryAfter` in milliseconds, when it says so. */
  RateLimited: { retryAfter: Schema.optionalKey(Schema.Finite) },
  /** The interface said no. `code` is its own (`UNAUTHORIZED`, `INVALID_RECORD`); `message` its own text, bounded. */
  Refused: { status: Schema.Int, code: Schema.String, message: Schema.String },
  /** 5xx, of the interface or of what stands before it: it may have been done. `retryAfter` in milliseconds. */
  Failed: { status: Schema.Int, retryAfter: Schema.optionalKey(Schema.Finite) },
  /** Not an answer of this interface: a redirect, a page, too long. */
  NotItsAnswer: { status: Schema.Int, why: Schema.String }
})
export type IonosDnsReason = typeof IonosDnsReason.Type

/** Never holds the key. */
export class IonosDnsError extends Schema.TaggedError<IonosDnsError>()("IonosDnsError", {
  operation: Schema.String,
  /** Doing it twice is as doing it once. */
  idempotent: Schema.Boolean,
  reason: IonosDnsReason
}) {
  /** Whether the same call may be made once more, and could succeed. */
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

  /** Unit: milliseconds that the interface asks for; undefined: it says nothing of it. */
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
