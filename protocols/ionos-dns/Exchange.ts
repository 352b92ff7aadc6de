/**
 * How a request is carried: given in by who calls, who decides about addresses, sockets and what may be dialled.
 * Redirects must not be followed.
 */
import type { Duration, Effect } from "effect"

export interface HttpRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  readonly url: string
  /** Holds the credentials. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** For all of it: name, connection, answer. */
  readonly timeout: Duration.Duration
  /** Unit: bytes; what is beyond is not read. */
  readonly maxAnswer: number
}

export interface HttpAnswer {
  readonly status: number
  /** By lower-case names. */
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly body: Uint8Array
  /** It was longer than `maxAnswer`. */
  readonly truncated: boolean
}

/** There was no answer. */
export interface NotCarried {
  /** The other side may have read the request. */
  readonly sent: boolean
  /** The same can succeed later. */
  readonly retryable: boolean
  /** Without headers and body. */
  readonly detail: string
}

export type Exchange = (request: HttpRequest) => Effect.Effect<HttpAnswer, NotCarried>
