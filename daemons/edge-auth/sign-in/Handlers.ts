import { Effect } from "effect"
import * as Handlers from "#core/http/Handlers.ts"
import { orUnavailable } from "#core/http/Problem.ts"
import { transaction } from "#core/sql/Sql.ts"
import { SecondFactor, Sessions } from "../accounts/Exports.ts"
import { byUser, note } from "../edge/AuditNote.ts"
import { Edge } from "../edge/Edge.ts"
import { EdgeProjection } from "../edge/EdgeProjection.ts"
import { messagePage } from "../edge/pages/Page.ts"
import { words } from "../edge/pages/Words.ts"
import { sessionCookie } from "../edge/SessionCookie.ts"
import { makeVisitor } from "../edge/Visitor.ts"
import { makeOnward } from "../handoff/Exports.ts"
import { SignInApi } from "./Api.ts"
import { codePage, loginPage, registerPage } from "./LoginPages.ts"
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
              again(429, t.tooMany(Math.ceil(retryAfter / 60)), { "retry-after": String(retryAfter) })
          }),
          orUnavailable
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
            Effect.map((isFirst) => messagePage(visitor.language, t.register, isFirst ? t.admitted : t.waits)),
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
                  yield* note(byUser(ended.user_id, client.ip), "session.ended", "session", ended.id, {
                    by: "sign_out"
                  })
              }),
              { discard: true }
            )
          )
        )
        yield* Effect.ignore(projection.refresh)
        return messagePage(language, words[language].signOut, words[language].signedOut, 200, {
          "set-cookie": sessionCookie("", home.cookieDomain, 0)
        })
      })
    })
  })
)
