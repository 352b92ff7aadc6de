import { Schema } from "effect"

/** Why a request to a user-chosen address failed. */
export const OutboundHttpReason = Schema.TaggedUnion({
  /** Not http or https, contains credentials, or is no URL. */
  InvalidUrl: { why: Schema.String },
  /** A privileged port other than 80 and 443. */
  ForbiddenPort: { port: Schema.Int },
  /** The host is, or resolves to, an address of a range that is not public. */
  ForbiddenAddress: { address: Schema.String, range: Schema.String },
  Unresolvable: { code: Schema.String },
  TimedOut: { milliseconds: Schema.Finite },
  /** Connection refused, reset or cut. */
  ConnectionFailed: { code: Schema.String },
  TlsFailed: { code: Schema.String },
  /** The answer was not HTTP. */
  InvalidResponse: { code: Schema.String },
  TooManyRedirects: { limit: Schema.Int },
  /** A redirect that would turn the method into GET, leave TLS, or name no usable address. */
  RedirectRefused: { status: Schema.Int, why: Schema.String }
})
export type OutboundHttpReason = typeof OutboundHttpReason.Type

/**
 * `url` is the origin only, because paths and queries may hold secrets. `requestSent`: the receiver may have acted on
 * the request.
 */
export class OutboundHttpError extends Schema.TaggedError<OutboundHttpError>()("OutboundHttpError", {
  reason: OutboundHttpReason,
  url: Schema.String,
  requestSent: Schema.Boolean
}) {
  /**
   * Whether the same request can succeed later without a change. A bad certificate may be fixed; a bad URL stays bad.
   */
  get retryable(): boolean {
    return retryable(this.reason)
  }

  override get message(): string {
    return `${this.url}: ${sentence(this.reason)}`
  }
}

const retryable = OutboundHttpReason.match({
  InvalidUrl: () => false,
  ForbiddenPort: () => false,
  ForbiddenAddress: () => false,
  Unresolvable: () => true,
  TimedOut: () => true,
  ConnectionFailed: () => true,
  TlsFailed: () => true,
  InvalidResponse: () => true,
  TooManyRedirects: () => false,
  RedirectRefused: () => false
})

const sentence = OutboundHttpReason.match({
  InvalidUrl: ({ why }) => `not usable: ${why}`,
  ForbiddenPort: ({ port }) => `port ${port} is not served`,
  ForbiddenAddress: ({ address, range }) => `address ${address} is not public (${range})`,
  Unresolvable: ({ code }) => `the host name does not resolve (${code})`,
  TimedOut: ({ milliseconds }) => `no answer within ${milliseconds} ms`,
  ConnectionFailed: ({ code }) => `the connection failed (${code})`,
  TlsFailed: ({ code }) => `TLS failed (${code})`,
  InvalidResponse: ({ code }) => `the answer was not HTTP (${code})`,
  TooManyRedirects: ({ limit }) => `more than ${limit} redirects`,
  RedirectRefused: ({ status, why }) => `redirect (${status}) not followed: ${why}`
})
