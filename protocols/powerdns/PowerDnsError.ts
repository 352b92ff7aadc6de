import { Schema } from "effect"

/** What went wrong with a call. */
export const PowerDnsReason = Schema.TaggedUnion({
  /** Nothing was sent. */
  NotReached: { detail: Schema.String, retryable: Schema.Boolean },
  /** Sent, and no answer came: it may have been done. */
  NoAnswer: { detail: Schema.String },
  /** 429, of a proxy before it. `retryAfter` in milliseconds. */
  RateLimited: { retryAfter: Schema.optionalKey(Schema.Finite) },
  /** 401: the key is wrong; 403: we may not ask from here. */
  Unauthorized: { status: Schema.Int },
  /** 404: no such zone, or no such server. */
  NotFound: {},
  /** 400, 409, 422: `message` is its own text, bounded. */
  Refused: { status: Schema.Int, message: Schema.String },
  /** 5xx: it may have been done. `retryAfter` in milliseconds. */
  Failed: { status: Schema.Int, retryAfter: Schema.optionalKey(Schema.Finite) },
  /** Not an answer of this interface: a redirect, a page, too long. */
  NotItsAnswer: { status: Schema.Int, why: Schema.String }
})
export type PowerDnsReason = typeof PowerDnsReason.Type

/** Never holds the key. All calls may be repeated: a change says what shall be, not what to add. */
export class PowerDnsError extends Schema.TaggedError<PowerDnsError>()("PowerDnsError", {
  operation: Schema.String,
  reason: PowerDnsReason
}) {
  /** Whether the same call could succeed. */
  get repeatable(): boolean {
    return this.reason._tag === "NotReached"
      ? this.reason.retryable
      : ["NoAnswer", "RateLimited", "Failed"].includes(this.reason._tag)
  }

  /** Unit: milliseconds that the other side asks for; undefined: it says nothing of it. */
  get retryAfter(): number | undefined {
    return "retryAfter" in this.reason ? this.reason.retryAfter : undefined
  }

  override get message(): string {
    return `${this.operation}: ${sentence(this.reason)}`
  }
}

const sentence = PowerDnsReason.match({
  NotReached: ({ detail }) => detail,
  NoAnswer: ({ detail }) => detail,
  RateLimited: () => "too many requests (429)",
  Unauthorized: ({ status }) => `the key is not accepted (${status})`,
  NotFound: () => "there is no such zone, or no such server (404)",
  Refused: ({ message, status }) => `${message} (${status})`,
  Failed: ({ status }) => `the server failed (${status})`,
  NotItsAnswer: ({ status, why }) => `unusable answer (${status}): ${why}`
})
