/**
 * Interface of the function that sends an HTTP request. The caller of the client provides it and so controls address
 * checks, sockets and reachable networks. It must not follow redirects.
 */
import type { Duration, Effect } from "effect"

export interface HttpRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  readonly url: string
  /** Request headers, including the credentials. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** Limit for name resolution, connection and answer together. */
  readonly timeout: Duration.Duration
  /** Longest answer. Unit: bytes. The rest is not read. */
  readonly maxAnswer: number
}

export interface HttpAnswer {
  readonly status: number
  /** Response headers by lower-case name. */
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly body: Uint8Array
  /** Whether the answer was longer than `maxAnswer`. */
  readonly truncated: boolean
}

/** Failure without an answer. */
export interface NotCarried {
  /** Whether the server may have read the request. */
  readonly sent: boolean
  /** Whether the same request can succeed later. */
  readonly retryable: boolean
  /** Description of the failure, without request headers and body. */
  readonly detail: string
}

export type Exchange = (request: HttpRequest) => Effect.Effect<HttpAnswer, NotCarried>
