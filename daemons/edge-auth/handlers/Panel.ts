import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { SqlClient } from "effect/sql"
import { orUnavailable } from "#core/http/Problem.ts"
import { Bcrypt } from "../accounts/Bcrypt.ts"
import { byUser } from "../accounts/Noted.ts"
import * as OwnFactor from "../accounts/OwnFactor.ts"
import * as SecondFactor from "../accounts/SecondFactor.ts"
import * as Sessions from "../accounts/Sessions.ts"
import * as Users from "../accounts/Users.ts"
import { EdgeAuthApi } from "../Api.ts"
import { Edge } from "../Edge.ts"
import { accountPage } from "../pages/AccountPage.ts"
import { adminPage } from "../pages/AdminPage.ts"
import type { FactorState } from "../pages/FactorPart.ts"
import { saidPage } from "../pages/LoginPages.ts"
import { type Language, words } from "../pages/Words.ts"
import { report } from "../routes/CoverageReport.ts"
import * as RouteRows from "../routes/RouteRows.ts"
import { Picture } from "../verify/Picture.ts"
import { loginAddress } from "../verify/ReturnTo.ts"
import { adminActs, noId, ownActs } from "./AdminActs.ts"
import { keysOrUnavailable } from "./Keys.ts"
import { makeVisitor } from "./Visitor.ts"

/** Shown of each list. Unit: rows. Reason: what a page of the panel holds; sessions beyond end by themselves. */
const shown = 500

type FactorAct = "begin_factor" | "confirm_factor" | "end_factor"
type FactorTyped = { readonly [_ in "code" | "password" | "proof"]?: string | undefined }

export const panel = HttpApiBuilder.group(
  EdgeAuthApi,
  "panel",
  Effect.fn(function* (handlers) {
    yield* SqlClient.SqlClient
    yield* Bcrypt
    const { defaultDeny, home, proxyConfig, signInOptions } = yield* Edge
    const { limits } = signInOptions
    const picture = yield* Picture
    const visitorOf = yield* makeVisitor

    /** Who is in front, with the session they came by; a way to the login page for nobody. */
    const signedIn = (path: string, query: { readonly lang?: string }) =>
      Effect.gen(function* () {
        const visitor = yield* visitorOf(query)
        const session = yield* Sessions.current(visitor.tokens)
        const user = session === undefined ? undefined : yield* Users.byId(session.user_id)
        const login = HttpServerResponse.empty({
          status: 302,
          headers: { location: loginAddress(home.base, `${home.base}${path}`), "cache-control": "no-store" }
        })
        return session === undefined || user === undefined ? { login } : { visitor, session, user, login: undefined }
      })

    type Front = Extract<Effect.Success<ReturnType<typeof signedIn>>, { readonly login: undefined }>

    /** Elsewhere it holds within a second. */
    const hereAtOnce = Effect.ignore(picture.refresh)

    const back = (path: string, { language }: { readonly language: Language }) =>
      HttpServerResponse.empty({
        status: 303,
        headers: { location: `${home.base}${path}?lang=${language}`, "cache-control": "no-store" }
      })

    const ownPage = (
      { session, user, visitor }: Front,
      factor: FactorState,
      status = 200,
      headers: Readonly<Record<string, string>> = {}
    ) =>
      Effect.map(Sessions.open(user.id, shown), (sessions) =>
        accountPage({
          ...visitor,
          headers: { ...visitor.headers, ...headers },
          user,
          here: session.id,
          sessions,
          factor,
          status
        })
      )

    const factorOf = ({ user }: Front): { readonly _tag: "On" | "Off" } => ({ _tag: user.has_totp ? "On" : "Off" })

    /** Sets a second factor up, makes it good, turns it off. */
    const changeFactor = Effect.fnUntraced(function* (
      front: Front,
      act: FactorAct,
      { code = "", password = "", proof = "" }: FactorTyped
    ) {
      const { user, visitor } = front
      const owner = { id: user.id, email: user.email, ip: visitor.client.ip }
      switch (act) {
        case "begin_factor": {
          const setup = yield* OwnFactor.begin(owner, password, limits)
          return setup === undefined ? back("/account", visitor) : yield* ownPage(front, { _tag: "SettingUp", setup })
        }
        case "confirm_factor":
          return yield* OwnFactor.confirm(owner, code, limits).pipe(
            Effect.flatMap((codes) => ownPage(front, { _tag: "Begun", codes })),
            // The picture again, for another try.
            Effect.catchTag(
              "NoProof",
              Effect.fnUntraced(function* (wrong) {
                const setup = yield* SecondFactor.waiting(owner)
                if (setup === undefined) return yield* wrong
                return yield* ownPage(
                  front,
                  { _tag: "SettingUp", setup, problem: words[visitor.language].wrongCode },
                  422
                )
              })
            )
          )
        case "end_factor":
          yield* OwnFactor.turnOff(owner, proof, limits)
          return back("/account", visitor)
      }
    })

    return handlers.handleAll({
      account: Effect.fnUntraced(function* ({ query }) {
        const front = yield* orUnavailable(signedIn("/account", query))
        if (front.login !== undefined) return front.login
        return yield* orUnavailable(ownPage(front, factorOf(front)))
      }),
      changeAccount: Effect.fnUntraced(function* ({ payload: { act, code, form_token, id, password, proof }, query }) {
        const front = yield* orUnavailable(signedIn("/account", query))
        if (front.login !== undefined) return front.login
        const { user, visitor } = front
        const t = words[visitor.language]
        if (!visitor.isOurs(form_token)) return saidPage(visitor.language, t.account, t.stale, 403)
        if (act === "begin_factor" || act === "confirm_factor" || act === "end_factor") {
          const again = (problem: string, status: number, headers?: Readonly<Record<string, string>>) =>
            ownPage(front, { ...factorOf(front), problem }, status, headers)
          return yield* changeFactor(front, act, { code, password, proof }).pipe(
            Effect.catchTags({
              NoProof: () => again(t.wrongPassword, 422),
              Busy: () => again(t.busy, 503, { "retry-after": "5" }),
              TooMany: ({ retryAfter }) =>
                again(t.tooMany(Math.ceil(retryAfter / 60)), 429, { "retry-after": String(retryAfter) })
            }),
            orUnavailable,
            keysOrUnavailable
          )
        }
        const work = ownActs(act, byUser(user.id, visitor.client.ip), user.id, id)
        if (work === undefined) return saidPage(visitor.language, t.account, t.stale, 422)
        return yield* orUnavailable(
          work.pipe(
            Effect.tap(hereAtOnce),
            Effect.as(back("/account", visitor)),
            Effect.catchTag("Impossible", () => Effect.succeed(back("/account", visitor)))
          )
        )
      }),
      admin: Effect.fnUntraced(function* ({ query }) {
        const front = yield* orUnavailable(signedIn("/admin", query))
        if (front.login !== undefined) return front.login
        const { session, user, visitor } = front
        if (user.role !== "admin")
          return saidPage(visitor.language, words[visitor.language].admin, words[visitor.language].forbidden, 403)
        return yield* orUnavailable(panelPage({ ...visitor, here: session.id }))
      }),
      changeAdmin: Effect.fnUntraced(function* ({
        payload: { act, description, form_token, host, id, path, role },
        query
      }) {
        const front = yield* orUnavailable(signedIn("/admin", query))
        if (front.login !== undefined) return front.login
        const { session, user, visitor } = front
        const t = words[visitor.language]
        if (user.role !== "admin") return saidPage(visitor.language, t.admin, t.forbidden, 403)
        const again = (problem: string, status: number) => panelPage({ ...visitor, here: session.id, problem, status })
        if (!visitor.isOurs(form_token)) return yield* orUnavailable(again(t.stale, 403))
        const work = Object.hasOwn(adminActs, act ?? "")
          ? adminActs[act!]!(byUser(user.id, visitor.client.ip), { id, host, path, role, description })
          : Effect.fail(noId)
        return yield* orUnavailable(
          work.pipe(
            Effect.tap(hereAtOnce),
            Effect.as(back("/admin", visitor)),
            Effect.catchTag("Impossible", ({ reason }) => again(t[reason], 409))
          )
        )
      }),
      coverage: Effect.fnUntraced(function* ({ query }) {
        const front = yield* orUnavailable(signedIn("/admin", query))
        if (front.login !== undefined) return front.login
        const { language } = front.visitor
        if (front.user.role !== "admin")
          return saidPage(language, words[language].admin, words[language].forbidden, 403)
        const found = yield* orUnavailable(report({ defaultDeny, home, proxyConfig }))
        return HttpServerResponse.jsonUnsafe(found, { headers: { "cache-control": "no-store" } })
      })
    })

    function panelPage(
      given: Pick<Parameters<typeof adminPage>[0], "language" | "formToken" | "headers" | "here" | "problem" | "status">
    ) {
      return Effect.gen(function* () {
        return adminPage({
          ...given,
          users: yield* Users.list(shown),
          routes: yield* RouteRows.list,
          coverage: yield* report({ defaultDeny, home, proxyConfig }),
          sessions: yield* Sessions.open(undefined, shown)
        })
      })
    }
  })
)
