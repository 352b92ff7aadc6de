import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { SqlClient } from "effect/sql"
import { orUnavailable } from "#core/http/Problem.ts"
import { transaction } from "#core/Sql.ts"
import { Wake } from "#core/Wake.ts"
import { Bcrypt } from "../accounts/Bcrypt.ts"
import * as Sessions from "../accounts/Sessions.ts"
import { signIn } from "../accounts/SignIn.ts"
import { problemOf, signUp } from "../accounts/SignUp.ts"
import { EdgeAuthApi } from "../Api.ts"
import { Edge } from "../Edge.ts"
import { loginPage, registerPage, saidPage } from "../pages/LoginPages.ts"
import { words } from "../pages/Words.ts"
import { Picture, topic } from "../verify/Picture.ts"
import { sessionCookie } from "../verify/SessionCookie.ts"
import { visitorOf } from "./Visitor.ts"

export const door = HttpApiBuilder.group(EdgeAuthApi, "door", Effect.fn(function*(handlers) {
  yield* SqlClient.SqlClient
  yield* Bcrypt
  const wake = yield* Wake
  const picture = yield* Picture
  const { firstUserAdmin, home, signInOptions } = yield* Edge

  return handlers.handleAll({
    // The fast lane answers before this is asked.
    verify: () => Effect.succeed(HttpServerResponse.empty({ status: 503 })),
    login: Effect.fnUntraced(function*({ query }) {
      const { elsewhere, language, ...visitor } = yield* visitorOf(home, query)
      return loginPage({ ...visitor, language, problem: elsewhere === undefined ? undefined : words[language].otherDomain(elsewhere) })
    }),
    signIn: Effect.fnUntraced(function*({ payload: { email = "", form_token, password = "" }, query }) {
      const { isOurs, language, ...visitor } = yield* visitorOf(home, query)
      const t = words[language]
      const again = (status: number, problem: string, headers: Readonly<Record<string, string>> = {}) =>
        loginPage({ ...visitor, language, email, status, problem, headers: { ...visitor.headers, ...headers } })
      if (!isOurs(form_token)) return again(403, t.stale)
      return yield* orUnavailable(signIn({ email, password }, visitor.client, signInOptions).pipe(
        Effect.map((token) =>
          HttpServerResponse.empty({
            status: 303,
            headers: { location: visitor.wanted ?? `${home.base}/account`, "set-cookie": sessionCookie(token, home.cookieDomain, signInOptions.ttl), "cache-control": "no-store" }
          })),
        Effect.catchTags({
          Refused: () => Effect.succeed(again(401, t.refused)),
          Busy: () => Effect.succeed(again(503, t.busy, { "retry-after": "5" })),
          TooMany: ({ retryAfter }) => Effect.succeed(again(429, t.tooMany(Math.ceil(retryAfter / 60)), { "retry-after": String(retryAfter) }))
        })
      ))
    }),
    register: Effect.fnUntraced(function*({ query }) {
      return registerPage(yield* visitorOf(home, query))
    }),
    signUp: Effect.fnUntraced(function*({ payload: { email = "", form_token, name = "", password = "" }, query }) {
      const { isOurs, language, ...visitor } = yield* visitorOf(home, query)
      const t = words[language]
      const again = (status: number, problem: string) => registerPage({ ...visitor, language, typed: { email, name }, status, problem })
      if (!isOurs(form_token)) return again(403, t.stale)
      const problem = problemOf({ email, name, password })
      if (problem !== undefined) return again(422, t[problem])
      return yield* orUnavailable(signUp({ email, name, password }, firstUserAdmin).pipe(
        Effect.map((isFirst) => saidPage(language, t.register, isFirst ? t.admitted : t.waits)),
        Effect.catchTag("Busy", () => Effect.succeed(again(503, t.busy)))
      ))
    }),
    logout: Effect.fnUntraced(function*({ query }) {
      const { language, tokens } = yield* visitorOf(home, query)
      yield* orUnavailable(transaction(Effect.andThen(Effect.forEach(tokens, Sessions.endToken, { discard: true }), wake.announce(topic))))
      yield* Effect.ignore(picture.refresh)
      return saidPage(language, words[language].signOut, words[language].signedOut, 200, { "set-cookie": sessionCookie("", home.cookieDomain, 0) })
    })
  })
}))
