/** Headers of the answer to the request in hand, whatever it turns out to be. */
import { Effect } from "effect"
import { HttpEffect, type HttpServerRequest, HttpServerResponse } from "effect/http"

/** Sets them on the answer when it is ready, problems included. */
export const answerHeaders = (
  headers: Readonly<Record<string, string>>
): Effect.Effect<void, never, HttpServerRequest.HttpServerRequest> =>
  HttpEffect.appendPreResponseHandler((_, response) => Effect.succeed(HttpServerResponse.setHeaders(response, headers)))

/** The answer holds a secret and is to be kept nowhere. Source: RFC 6749 §5.1. */
export const noStore = answerHeaders({ "cache-control": "no-store", pragma: "no-cache" })

/** The same request may be sent again after so many whole seconds. Source: RFC 9110 §10.2.3. */
export const retryAfter = (seconds: number) => answerHeaders({ "retry-after": String(Math.max(1, Math.ceil(seconds))) })
