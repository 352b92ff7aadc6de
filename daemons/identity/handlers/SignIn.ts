import { Effect, Redacted } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { noStore } from "#core/http/AnswerHeaders.ts"
import { client } from "#core/http/Client.ts"
import { orUnavailable } from "#core/http/Problem.ts"
import { IdentityApi } from "../Api.ts"
import { InvalidRefreshToken } from "../Errors.ts"
import { SignIn } from "../login/SignIn.ts"
import { Sessions } from "../sessions/Sessions.ts"
import { signingBroke } from "../sessions/SigningBroke.ts"
import { welcome } from "../welcome/Page.ts"

export const signIn = HttpApiBuilder.group(IdentityApi, "sign-in", Effect.fn(function*(handlers) {
  const ways = yield* SignIn
  const sessions = yield* Sessions
  return handlers.handleAll({
    login: Effect.fnUntraced(function*({ payload }) {
      yield* noStore
      const typed = { email: payload.email, password: Redacted.make(payload.password), code: payload.code }
      return yield* orUnavailable(signingBroke(ways.withPassword(typed, yield* client)))
    }),
    refresh: Effect.fnUntraced(function*({ payload }) {
      yield* noStore
      const outcome = yield* orUnavailable(signingBroke(sessions.refresh(payload.refresh_token, yield* client)))
      return typeof outcome === "string" ? yield* new InvalidRefreshToken() : outcome
    }),
    link: Effect.fnUntraced(function*({ payload }) {
      yield* noStore
      return yield* orUnavailable(signingBroke(ways.withLink(payload.token, yield* client)))
    }),
    welcome: () => Effect.map(HttpServerRequest.HttpServerRequest, (request) => welcome(request.headers["accept-language"]))
  })
}))
