import { Effect, Redacted } from "effect"
import { HttpServerRequest } from "effect/http"
import * as Handlers from "#core/http/Handlers.ts"
import { noStore } from "#core/http/AnswerHeaders.ts"
import { client } from "#core/http/Client.ts"
import { InvalidRequest, orUnavailable } from "#core/http/Problem.ts"
import { SignInApi } from "./Api.ts"
import { InvalidRefreshToken } from "./Errors.ts"
import { SignIn } from "./SignIn.ts"
import { Sessions, orSigningUnavailable } from "../sessions/Exports.ts"
import { cookieSignIn } from "./CookieSignIn.ts"
import { welcome } from "./welcome/Page.ts"

export const signIn = Handlers.group(
  SignInApi,
  "sign-in",
  Effect.fn(function* (handlers) {
    const signIns = yield* SignIn
    const sessions = yield* Sessions
    const { answer, requireOwnPage, refreshCookie } = yield* cookieSignIn
    return handlers.handleAll({
      login: Effect.fnUntraced(function* ({ payload }) {
        yield* noStore
        if (payload.cookie) yield* requireOwnPage
        const typed = { email: payload.email, password: Redacted.make(payload.password), code: payload.code }
        return yield* answer(
          payload.cookie,
          yield* orUnavailable(orSigningUnavailable(signIns.withPassword(typed, yield* client)))
        )
      }),
      refresh: Effect.fnUntraced(function* ({ payload: { refresh_token: token } }) {
        yield* noStore
        const cookie = yield* refreshCookie
        if (cookie === undefined) {
          if (token === undefined)
            return yield* new InvalidRefreshToken({ detail: "Send a refresh token in the body or as a cookie." })
          const outcome = yield* orUnavailable(orSigningUnavailable(sessions.refresh(token, yield* client)))
          return typeof outcome === "string" ? yield* new InvalidRefreshToken() : outcome
        }
        yield* requireOwnPage
        if (token !== undefined && token !== cookie.token) {
          return yield* new InvalidRequest({
            errors: [
              {
                field: "payload.refresh_token",
                message: "differs from the refresh token in the cookie; send only one of them"
              }
            ]
          })
        }
        const outcome = yield* orUnavailable(orSigningUnavailable(sessions.renew(cookie.token, yield* client)))
        if (typeof outcome !== "string") return yield* answer(true, outcome)
        // Otherwise the browser would send the invalid cookie with every page.
        yield* cookie.clear
        return yield* new InvalidRefreshToken()
      }),
      link: Effect.fnUntraced(function* ({ payload }) {
        yield* noStore
        if (payload.cookie) yield* requireOwnPage
        return yield* answer(
          payload.cookie,
          yield* orUnavailable(orSigningUnavailable(signIns.withLink(payload.token, yield* client)))
        )
      }),
      welcome: () =>
        Effect.map(HttpServerRequest.HttpServerRequest, (request) => welcome(request.headers["accept-language"]))
    })
  })
)
