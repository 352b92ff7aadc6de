/** Cookie part of the sign-in handlers: same-origin check, received refresh cookie, new refresh cookie. */
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { answerHeaders } from "#core/http/AnswerHeaders.ts"
import {
  CrossSiteRequest,
  requestProblem,
  PublicBase,
  RefreshCookie,
  type Renewed,
  Sessions
} from "../sessions/Exports.ts"

export const cookieSignIn = Effect.gen(function* () {
  const publicBase = yield* PublicBase
  const { lifetime } = yield* Sessions
  const request = HttpServerRequest.HttpServerRequest

  /** Refuses requests that none of our own pages sent. */
  const requireOwnPage = Effect.flatMap(request, ({ headers }) => {
    const detail = requestProblem(publicBase.of(headers), headers)
    return detail === undefined ? Effect.void : Effect.fail(new CrossSiteRequest({ detail }))
  })

  /** The refresh token from the cookie, and the effect that deletes the cookie. */
  const refreshCookie = Effect.map(request, ({ cookies, headers }) => {
    const token = cookies[RefreshCookie.cookieName]
    const clear = answerHeaders({ "set-cookie": RefreshCookie.clear(publicBase.of(headers), headers) })
    return token === undefined ? undefined : { token, clear }
  })

  /** The token response; with `asCookie`, the refresh token is moved into the cookie. */
  const answer = Effect.fnUntraced(function* (asCookie: boolean | undefined, tokens: Renewed) {
    const { refresh_token: token, ...others } = tokens
    if (asCookie !== true || token === undefined) return tokens
    const { headers } = yield* request
    yield* answerHeaders({ "set-cookie": RefreshCookie.set(publicBase.of(headers), headers, token, lifetime) })
    return others
  })

  return { requireOwnPage, refreshCookie, answer }
})
