import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import * as Handlers from "#core/http/Handlers.ts"
import { orUnavailable } from "#core/http/Problem.ts"
import { OwnFactor, SecondFactor, Sessions, Users } from "../accounts/Exports.ts"
import { byUser } from "../edge/AuditNote.ts"
import { gone } from "../edge/ChangeRefused.ts"
import { Edge } from "../edge/Edge.ts"
import { EdgeProjection } from "../edge/EdgeProjection.ts"
import { messagePage } from "../edge/pages/Page.ts"
import { words } from "../edge/pages/Words.ts"
import { loginAddress } from "../edge/ReturnTo.ts"
import { makeVisitor, type Visitor } from "../edge/Visitor.ts"
import { report, RouteRows } from "../routes/Exports.ts"
import { accountPage } from "./AccountPage.ts"
import { adminActs, ownActs } from "./AdminActs.ts"
import { adminPage } from "./AdminPage.ts"
import { PanelApi } from "./Api.ts"
import type { FactorState } from "./FactorPart.ts"

/** Maximum number of rows shown of each list. Reason: the page stays readable; sessions that are not shown expire. */
const shown = 500

type FactorAct = "begin_factor" | "confirm_factor" | "end_factor"
type FactorTyped = { readonly [_ in "code" | "password" | "proof"]?: string | undefined }

export const panel = Handlers.group(
  PanelApi,
  "panel",
  Effect.fn(function* (handlers) {
    const { defaultDeny, home, limits, proxyConfig } = yield* Edge
    const projection = yield* EdgeProjection
    const visitorOf = yield* makeVisitor

    /** Signed-in user with session and visitor; without a session a redirect to the login page. */
    const signedIn = (path: string, query: { readonly lang?: string }) =>
      Effect.gen(function* () {
        const visitor = yield* visitorOf(query)
        const session = yield* Sessions.current(visitor.tokens)
        const user = session === undefined ? undefined : yield* Users.byId(session.user_id)
        const login = HttpServerResponse.empty({
          status: 302,
          headers: {
            location: loginAddress(visitor.home.base, `${visitor.home.base}${path}`),
            "cache-control": "no-store"
          }
        })
        return session === undefined || user === undefined ? { login } : { visitor, session, user, login: undefined }
      })

    type Front = Extract<Effect.Success<ReturnType<typeof signedIn>>, { readonly login: undefined }>

    /** Applies a change in this process at once; other processes apply it within a second. */
    const hereAtOnce = Effect.ignore(projection.refresh)

    const back = (path: string, { home, language }: Pick<Visitor, "home" | "language">) =>
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

    /** Creates, confirms or removes the user's second factor. */
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
            // Shows the QR code again, so that the user can try another code.
            Effect.catchTag(
              "NoProof",
              Effect.fnUntraced(function* (wrong) {
                const setup = yield* SecondFactor.waiting(owner)
                if (setup === undefined) return yield* wrong
                return yield* ownPage(
                  front,
                  { _tag: "SettingUp", setup, problem: words(visitor.language).wrongCode },
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
        const t = words(visitor.language)
        if (!visitor.isOurs(form_token)) return messagePage(visitor.language, t.account, visitor.notOurs, 403)
        if (act === "begin_factor" || act === "confirm_factor" || act === "end_factor") {
          const again = (problem: string, status: number, headers?: Readonly<Record<string, string>>) =>
            ownPage(front, { ...factorOf(front), problem }, status, headers)
          return yield* changeFactor(front, act, { code, password, proof }).pipe(
            Effect.catchTags({
              NoProof: () => again(t.wrongPassword, 422),
              SecretError: SecondFactor.unreadable,
              Busy: () => again(t.busy, 503, { "retry-after": "5" }),
              TooMany: ({ retryAfter }) =>
                again(t.tooMany({ minutes: Math.ceil(retryAfter / 60) }), 429, { "retry-after": String(retryAfter) })
            }),
            orUnavailable
          )
        }
        const work = ownActs(act, byUser(user.id, visitor.client.ip), user.id, id)
        if (work === undefined) return messagePage(visitor.language, t.account, t.stale, 422)
        return yield* orUnavailable(
          work.pipe(
            Effect.tap(hereAtOnce),
            Effect.as(back("/account", visitor)),
            Effect.catchTag("ChangeRefused", () => Effect.succeed(back("/account", visitor)))
          )
        )
      }),
      admin: Effect.fnUntraced(function* ({ query }) {
        const front = yield* orUnavailable(signedIn("/admin", query))
        if (front.login !== undefined) return front.login
        const { session, user, visitor } = front
        if (user.role !== "admin")
          return messagePage(visitor.language, words(visitor.language).admin, words(visitor.language).forbidden, 403)
        return yield* orUnavailable(panelPage({ ...visitor, here: session.id }))
      }),
      changeAdmin: Effect.fnUntraced(function* ({
        payload: { act, description, form_token, host, id, path, role },
        query
      }) {
        const front = yield* orUnavailable(signedIn("/admin", query))
        if (front.login !== undefined) return front.login
        const { session, user, visitor } = front
        const t = words(visitor.language)
        if (user.role !== "admin") return messagePage(visitor.language, t.admin, t.forbidden, 403)
        const again = (problem: string, status: number) => panelPage({ ...visitor, here: session.id, problem, status })
        if (!visitor.isOurs(form_token)) return yield* orUnavailable(again(visitor.notOurs, 403))
        const work = Object.hasOwn(adminActs, act ?? "")
          ? adminActs[act!]!(byUser(user.id, visitor.client.ip), { id, host, path, role, description })
          : Effect.fail(gone)
        return yield* orUnavailable(
          work.pipe(
            Effect.tap(hereAtOnce),
            Effect.as(back("/admin", visitor)),
            Effect.catchTag("ChangeRefused", ({ reason }) => again(t[reason], 409))
          )
        )
      }),
      coverage: Effect.fnUntraced(function* ({ query }) {
        const front = yield* orUnavailable(signedIn("/admin", query))
        if (front.login !== undefined) return front.login
        const { language } = front.visitor
        if (front.user.role !== "admin")
          return messagePage(language, words(language).admin, words(language).forbidden, 403)
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
