/**
 * Middleware around Authentication: a sign-out with a refresh cookie ends the session and clears the cookie, even when
 * the access token is missing or expired.
 */
import { Effect, Layer } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiMiddleware } from "effect/http-api"
import { client } from "#core/http/Client.ts"
import { orUnavailable, Unauthenticated, Unavailable } from "#core/http/Problem.ts"
import { CrossSiteRequest } from "./Errors.ts"
import { PublicBase } from "./PublicBase.ts"
import { originProblem } from "./OwnPage.ts"
import * as RefreshCookie from "./RefreshCookie.ts"
import { Sessions } from "./Sessions.ts"

export class SignOutByCookie extends HttpApiMiddleware.Service<SignOutByCookie>()(
  "signalbox/identity/SignOutByCookie",
  { error: [CrossSiteRequest, Unavailable] }
) {}

export const layer: Layer.Layer<SignOutByCookie, never, PublicBase | Sessions> = Layer.effect(
  SignOutByCookie,
  Effect.gen(function* () {
    const publicBase = yield* PublicBase
    const sessions = yield* Sessions
    const isUnauthenticated = (error: unknown) => error instanceof Unauthenticated
    return SignOutByCookie.of((answer) =>
      Effect.gen(function* () {
        const { cookies, headers } = yield* HttpServerRequest.HttpServerRequest
        const token = cookies[RefreshCookie.cookieName]
        if (token === undefined) return yield* answer
        const base = publicBase.of(headers)
        // A request with a bearer token is not from another site, because browsers do not add that header by
        // themselves.
        const response = yield* Effect.catchIf(answer, isUnauthenticated, () => {
          const detail = originProblem(base, headers)
          return detail === undefined
            ? Effect.succeed(HttpServerResponse.empty({ status: 204 }))
            : Effect.fail(new CrossSiteRequest({ detail }))
        })
        if (response.status >= 300) return response
        yield* orUnavailable(sessions.signOut(token, yield* client))
        return HttpServerResponse.setHeader(response, "set-cookie", RefreshCookie.clear(base, headers))
      })
    )
  })
)
