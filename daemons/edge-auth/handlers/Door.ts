import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { SqlClient } from "effect/sql"
import { orUnavailable } from "#core/http/Problem.ts"
import { transaction } from "#core/sql/Sql.ts"
import { Bcrypt } from "../accounts/Bcrypt.ts"
import { byUser, noted } from "../accounts/Noted.ts"
import * as Sessions from "../accounts/Sessions.ts"
import { type SignedIn, signIn, signInByCode } from "../accounts/SignIn.ts"
import { problemOf, signUp } from "../accounts/SignUp.ts"
import { EdgeAuthApi } from "../Api.ts"
import { Edge } from "../Edge.ts"
import * as Handoffs from "../handoff/Handoffs.ts"
import { codePage, loginPage, registerPage, saidPage } from "../pages/LoginPages.ts"
import { words } from "../pages/Words.ts"
import { hostOf } from "../verify/Host.ts"
import { Picture } from "../verify/Picture.ts"
import { sessionCookie } from "../verify/SessionCookie.ts"
import { Refusals } from "../Refusals.ts"
import { keysOrUnavailable } from "./Keys.ts"
import { makeVisitor } from "./Visitor.ts"
import { makeWayOn } from "./WayOn.ts"

export const door = HttpApiBuilder.group(
  EdgeAuthApi,
  "door",
  Effect.fn(function* (handlers) {
    yield* SqlClient.SqlClient
    yield* Bcrypt
    const refusals = yield* Refusals
    const picture = yield* Picture
    const { firstUserAdmin, home, signInOptions } = yield* Edge
    const visitorOf = yield* makeVisitor
    const wayOn = yield* makeWayOn

    return handlers.handleAll({
      // The fast lane answers before this is asked.
      verify: () => Effect.succeed(HttpServerResponse.empty({ status: 503 })),
      login: Effect.fnUntraced(function* ({ query }) {
        const visitor = yield* visitorOf(query)
        // Signed in already, and no cookie of ours goes there: with a code it does.
        const session =
          visitor.onward === undefined ? undefined : yield* orUnavailable(Sessions.current(visitor.tokens))
        if (session !== undefined) return yield* orUnavailable(wayOn(visitor, session.id))
        return loginPage({
          ...visitor,
          problem: visitor.unreached === undefined ? undefined : words[visitor.language].otherDomain(visitor.unreached)
        })
      }),
      signIn: Effect.fnUntraced(function* ({
        payload: { code = "", email = "", form_token, half, password = "" },
        query
      }) {
        const visitor = yield* visitorOf(query)
        const t = words[visitor.language]
        const again = (status: number, problem: string, headers: Readonly<Record<string, string>> = {}) => {
          const page = { ...visitor, status, problem, headers: { ...visitor.headers, ...headers } }
          return Effect.succeed(half === undefined ? loginPage({ ...page, email }) : codePage({ ...page, half }))
        }
        if (!visitor.isOurs(form_token)) return yield* again(403, t.stale)
        const tried = Effect.gen(function* () {
          if (half !== undefined) return yield* signInByCode({ half, code }, visitor.client, signInOptions)
          return yield* signIn({ email, password }, visitor.client, signInOptions)
        })
        return yield* tried.pipe(
          Effect.flatMap(
            Effect.fnUntraced(function* (done: SignedIn) {
              if (done._tag === "Code") return codePage({ ...visitor, half: done.half })
              return yield* wayOn(visitor, done.id, {
                "set-cookie": sessionCookie(done.token, home.cookieDomain, signInOptions.ttl)
              })
            })
          ),
          Effect.catchTags({
            Refused: () => again(401, half === undefined ? t.refused : t.wrongCode),
            Forgotten: () => Effect.succeed(loginPage({ ...visitor, status: 401, problem: t.codeForgotten })),
            Busy: () => again(503, t.busy, { "retry-after": "5" }),
            TooMany: ({ retryAfter }) =>
              again(429, t.tooMany(Math.ceil(retryAfter / 60)), { "retry-after": String(retryAfter) })
          }),
          orUnavailable,
          keysOrUnavailable
        )
      }),
      register: Effect.fnUntraced(function* ({ query }) {
        return registerPage(yield* visitorOf(query))
      }),
      signUp: Effect.fnUntraced(function* ({ payload: { email = "", form_token, name = "", password = "" }, query }) {
        const visitor = yield* visitorOf(query)
        const t = words[visitor.language]
        const again = (status: number, problem: string) =>
          registerPage({ ...visitor, typed: { email, name }, status, problem })
        if (!visitor.isOurs(form_token)) return again(403, t.stale)
        const problem = problemOf({ email, name, password })
        if (problem !== undefined) return again(422, t[problem])
        return yield* orUnavailable(
          signUp({ email, name, password }, firstUserAdmin, visitor.client.ip).pipe(
            Effect.map((isFirst) => saidPage(visitor.language, t.register, isFirst ? t.admitted : t.waits)),
            Effect.catchTag("Busy", () => Effect.succeed(again(503, t.busy)))
          )
        )
      }),
      logout: Effect.fnUntraced(function* ({ query }) {
        const { client, language, tokens } = yield* visitorOf(query)
        yield* orUnavailable(
          transaction(
            Effect.forEach(
              tokens,
              Effect.fnUntraced(function* (token) {
                const ended = yield* Sessions.endToken(token)
                if (ended !== undefined)
                  yield* noted(byUser(ended.user_id, client.ip), "session.ended", "session", ended.id, {
                    by: "sign_out"
                  })
              }),
              { discard: true }
            )
          )
        )
        yield* Effect.ignore(picture.refresh)
        return saidPage(language, words[language].signOut, words[language].signedOut, 200, {
          "set-cookie": sessionCookie("", home.cookieDomain, 0)
        })
      }),
      handoff: Effect.fnUntraced(function* ({ query }) {
        const { client, language } = yield* visitorOf({})
        const { headers } = yield* HttpServerRequest.HttpServerRequest
        const host = hostOf(headers["x-forwarded-host"] ?? headers["host"] ?? "")
        const begun =
          host === undefined
            ? undefined
            : yield* orUnavailable(
                transaction(
                  Effect.gen(function* () {
                    const begun = yield* Handoffs.redeem(query.code ?? "", host, client)
                    if (begun !== undefined)
                      yield* noted(byUser(begun.userId, client.ip), "session.handed_over", "session", begun.id, {
                        host
                      })
                    return begun
                  })
                )
              )
        if (begun === undefined) {
          yield* refusals.tell({ kind: "edge_handoff", address: client.ip })
          return saidPage(language, words[language].login, words[language].codeUsed, 403, {}, home.base)
        }
        yield* Effect.ignore(picture.refresh)
        return HttpServerResponse.empty({
          status: 303,
          headers: {
            location: begun.target,
            "set-cookie": sessionCookie(begun.token, undefined, begun.ttl),
            "cache-control": "no-store",
            "referrer-policy": "no-referrer"
          }
        })
      })
    })
  })
)
