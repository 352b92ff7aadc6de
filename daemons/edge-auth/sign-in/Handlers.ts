import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import * as Handlers from "#core/http/Handlers.ts"
import { orUnavailable } from "#core/http/Problem.ts"
import { transaction } from "#core/sql/Sql.ts"
import { FirstLink, SecondFactor, Sessions } from "../accounts/Exports.ts"
import { byUser, note } from "../edge/AuditNote.ts"
import { Edge } from "../edge/Edge.ts"
import { EdgeProjection } from "../edge/EdgeProjection.ts"
import { messagePage } from "../edge/pages/Page.ts"
import { words } from "../edge/pages/Words.ts"
import { sessionCookie } from "../edge/SessionCookie.ts"
import { makeVisitor, type Visitor } from "../edge/Visitor.ts"
import { makeOnward } from "../handoff/Exports.ts"
import { SignInApi } from "./Api.ts"
import { codePage, loginPage, logoutPage, registerPage } from "./LoginPages.ts"
import { Registration } from "./Registration.ts"
import * as SignIn from "./SignIn.ts"
import { problemOf, signUp } from "./SignUp.ts"

export const signIn = Handlers.group(
  SignInApi,
  "sign-in",
  Effect.fn(function* (handlers) {
    const projection = yield* EdgeProjection
    const { home, limits, sessionTtl: ttl } = yield* Edge
    const { firstUserAdmin } = yield* Registration
    const visitorOf = yield* makeVisitor
    const onward = yield* makeOnward

    return handlers.handleAll({
      login: Effect.fnUntraced(function* ({ query }) {
        const visitor = yield* visitorOf(query)
        // A visitor who is signed in here continues at the other root domain by a one-time code.
        const session =
          visitor.onward === undefined ? undefined : yield* orUnavailable(Sessions.current(visitor.tokens))
        if (session !== undefined) return yield* orUnavailable(onward(visitor, session.id))
        return loginPage({
          ...visitor,
          problem: !visitor.keepsCookies
            ? words(visitor.language).needsHttps
            : visitor.unreached === undefined
              ? undefined
              : words(visitor.language).otherDomain({ host: visitor.unreached })
        })
      }),
      signIn: Effect.fnUntraced(function* ({
        payload: { code = "", email = "", form_token, half, password = "" },
        query
      }) {
        const visitor = yield* visitorOf(query)
        const t = words(visitor.language)
        const again = (status: number, problem: string, headers: Readonly<Record<string, string>> = {}) => {
          const page = { ...visitor, status, problem, headers: { ...visitor.headers, ...headers } }
          return Effect.succeed(half === undefined ? loginPage({ ...page, email }) : codePage({ ...page, half }))
        }
        if (!visitor.isOurs(form_token)) return yield* again(403, visitor.notOurs)
        if (!visitor.keepsCookies) return yield* again(403, t.needsHttps)
        const tried = Effect.gen(function* () {
          if (half !== undefined) return yield* SignIn.signInByCode({ half, code }, visitor.client, { limits, ttl })
          return yield* SignIn.signIn({ email, password }, visitor.client, { limits, ttl })
        })
        return yield* tried.pipe(
          Effect.flatMap(
            Effect.fnUntraced(function* (done: SignIn.SignedIn) {
              if (done._tag === "Code") return codePage({ ...visitor, half: done.half })
              return yield* onward(visitor, done.id, {
                "set-cookie": sessionCookie(done.token, home.cookieDomain, ttl)
              })
            })
          ),
          Effect.catchTags({
            Refused: () => again(401, half === undefined ? t.refused : t.wrongCode),
            Forgotten: () => Effect.succeed(loginPage({ ...visitor, status: 401, problem: t.codeForgotten })),
            Busy: () => again(503, t.busy, { "retry-after": "5" }),
            SecretError: SecondFactor.unreadable,
            TooMany: ({ retryAfter }) =>
              again(429, t.tooMany({ minutes: Math.ceil(retryAfter / 60) }), { "retry-after": String(retryAfter) })
          }),
          orUnavailable
        )
      }),
      register: Effect.fnUntraced(function* ({ query }) {
        const visitor = yield* visitorOf(query)
        const closed =
          firstUserAdmin &&
          (yield* orUnavailable(FirstLink.isOpen)) &&
          !(yield* orUnavailable(FirstLink.fits(query.first)))
        return registerPage({
          ...visitor,
          first: query.first,
          ...(closed ? { problem: words(visitor.language).firstLink } : {})
        })
      }),
      signUp: Effect.fnUntraced(function* ({ payload: { email = "", form_token, name = "", password = "" }, query }) {
        const visitor = yield* visitorOf(query)
        const t = words(visitor.language)
        const again = (status: number, problem: string, headers: Readonly<Record<string, string>> = {}) =>
          registerPage({
            ...visitor,
            first: query.first,
            headers: { ...visitor.headers, ...headers },
            typed: { email, name },
            status,
            problem
          })
        if (!visitor.isOurs(form_token)) return again(403, visitor.notOurs)
        const problem = problemOf({ email, name, password })
        if (problem !== undefined) return again(422, t[problem])
        return yield* orUnavailable(
          signUp(
            { email, name, password },
            { firstIsAdmin: firstUserAdmin, link: query.first },
            visitor.client.ip
          ).pipe(
            Effect.map((isFirst) => messagePage(visitor.language, t.register, isFirst ? t.admitted : t.waits)),
            Effect.catchTags({
              Busy: () => Effect.succeed(again(503, t.busy, { "retry-after": "5" })),
              Full: () => Effect.succeed(again(503, t.full, { "retry-after": "86400" })),
              NeedsLink: () => Effect.succeed(again(403, t.firstLink)),
              TooMany: ({ retryAfter }) =>
                Effect.succeed(
                  again(429, t.tooManyRegistrations({ minutes: Math.ceil(retryAfter / 60) }), {
                    "retry-after": String(retryAfter)
                  })
                )
            })
          )
        )
      }),
      logout: Effect.fnUntraced(function* ({ query }) {
        const visitor = yield* visitorOf(query)
        const { headers } = yield* HttpServerRequest.HttpServerRequest
        return isOwnNavigation(headers) ? yield* signOut(visitor) : logoutPage(visitor)
      }),
      signOut: Effect.fnUntraced(function* ({ payload: { form_token }, query }) {
        const visitor = yield* visitorOf(query)
        return visitor.isOurs(form_token)
          ? yield* signOut(visitor)
          : logoutPage({ ...visitor, status: 403, problem: visitor.notOurs })
      })
    })

    function signOut({ client, language, tokens }: Visitor) {
      return Effect.gen(function* () {
        yield* orUnavailable(
          transaction(
            Effect.forEach(
              tokens,
              Effect.fnUntraced(function* (token) {
                const ended = yield* Sessions.endToken(token)
                if (ended !== undefined)
                  yield* note(byUser(ended.user_id, client.ip), "session.ended", "session", ended.id, {
                    by: "sign_out"
                  })
              }),
              { discard: true }
            )
          )
        )
        yield* Effect.ignore(projection.refresh)
        return messagePage(language, words(language).signOut, words(language).signedOut, 200, {
          "set-cookie": sessionCookie("", home.cookieDomain, 0)
        })
      })
    }
  })
)

/**
 * Whether a person followed a link of this site, typed the address, or uses a client without these headers. Other
 * sites must not sign visitors out by a link, an image or a frame. Pure. Source: W3C Fetch Metadata §2.
 */
export const isOwnNavigation = (headers: Readonly<Record<string, string | undefined>>): boolean =>
  headers["sec-fetch-site"] === undefined ||
  (headers["sec-fetch-site"] !== "cross-site" &&
    headers["sec-fetch-mode"] === "navigate" &&
    headers["sec-fetch-dest"] === "document")
