import { Schema } from "effect"

/** Reason why a call failed. */
export const PowerDnsReason = Schema.TaggedUnion({
  /** The connection failed, so nothing was sent. */
  NotReached: { detail: Schema.String, retryable: Schema.Boolean },
  /** The request was sent but not answered; the server may have executed it. */
  NoAnswer: { detail: Schema.String },
  /** 429 from a proxy before the server. `retryAfter` in milliseconds. */
  RateLimited: { retryAfter: Schema.optionalKey(Schema.Finite) },
  /** 401: the key is wrong; 403: the server does not allow this client's address. */
  Unauthorized: { status: Schema.Int },
  /** 404: the zone or the server id does not exist. */
  NotFound: {},
  /** 400, 409, 422: the server refuses the change. `message` is its text, shortened. */
  Refused: { status: Schema.Int, message: Schema.String },
  /** 5xx: the request may have been executed. `retryAfter` in milliseconds. */
  Failed: { status: Schema.Int, retryAfter: Schema.optionalKey(Schema.Finite) },
  /** The answer is not from this API (a redirect, an HTML page) or is too long. */
  NotItsAnswer: { status: Schema.Int, why: Schema.String }
})
export type PowerDnsReason = typeof PowerDnsReason.Type

/** Contains no key. Every call is idempotent, because a change states the final content of a set. */
export class PowerDnsError extends Schema.TaggedError<PowerDnsError>()("PowerDnsError", {
  operation: Schema.String,
  reason: PowerDnsReason
}) {
  /** Whether the same call can succeed later. */
  get repeatable(): boolean {
    return this.reason._tag === "NotReached"
      ? this.reason.retryable
      : ["NoAnswer", "RateLimited", "Failed"].includes(this.reason._tag)
  }

  /** Wait that the server asks for, in milliseconds; undefined when it names none. */
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
