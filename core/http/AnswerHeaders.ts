/**
 * Sets headers of the response to the current request, whether it succeeds or fails.
 */
import { Effect } from "effect"
import { HttpEffect, type HttpServerRequest, HttpServerResponse } from "effect/http"

/** Sets headers on the answer, also when it is a problem. */
export const answerHeaders = (
  headers: Readonly<Record<string, string>>
): Effect.Effect<void, never, HttpServerRequest.HttpServerRequest> =>
  HttpEffect.appendPreResponseHandler((_, response) => Effect.succeed(HttpServerResponse.setHeaders(response, headers)))

/** The answer holds a secret and must not be stored. Source: RFC 6749 §5.1. */
export const noStore = answerHeaders({ "cache-control": "no-store", pragma: "no-cache" })

/** Tells the client to retry after this many seconds. Source: RFC 9110 §10.2.3. */
export const retryAfter = (seconds: number) => answerHeaders({ "retry-after": String(Math.max(1, Math.ceil(seconds))) })
