import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { SqlClient, type SqlError } from "effect/sql"
import type { PgClient } from "@effect/sql-pg"
import type { Database } from "#core/Database.ts"
import { orUnavailable } from "#core/http/Problem.ts"
import type { Wake } from "#core/Wake.ts"
import * as Acts from "../accounts/Acts.ts"
import * as Sessions from "../accounts/Sessions.ts"
import * as Users from "../accounts/Users.ts"
import { EdgeAuthApi } from "../Api.ts"
import { Edge } from "../Edge.ts"
import { accountPage } from "../pages/AccountPage.ts"
import { adminPage } from "../pages/AdminPage.ts"
import { saidPage } from "../pages/LoginPages.ts"
import { words } from "../pages/Words.ts"
import { coverageOf, type Seen } from "../routes/Coverage.ts"
import * as RouteRows from "../routes/RouteRows.ts"
import { Picture } from "../verify/Picture.ts"
import { loginAddress } from "../verify/ReturnTo.ts"
import { visitorOf } from "./Visitor.ts"

/** Shown of each list. Unit: rows. Reason: what a page of the panel holds; sessions beyond end by themselves. */
const shown = 500

const noId = new Acts.Impossible({ reason: "stale" })

/** A number as a form sends it. */
const idOf = (text: string | undefined) => /^[1-9]\d{0,8}$/.test(text ?? "") ? Effect.succeed(Number(text)) : Effect.fail(noId)

type Typed = Readonly<Record<"act" | "id" | "host" | "path" | "role" | "description", string | undefined>>
type Acting = Effect.Effect<unknown, Acts.Impossible | SqlError.SqlError, SqlClient.SqlClient | PgClient.PgClient | Database | Wake>

/** What an admin's form asks for. */
const acts: Readonly<Record<string, (actor: Acts.Actor, typed: Typed) => Acting>> = {
  approve: (actor, { id }) => Effect.flatMap(idOf(id), (id) => Acts.setStatus(actor, id, "active")),
  block: (actor, { id }) => Effect.flatMap(idOf(id), (id) => Acts.setStatus(actor, id, "blocked")),
  make_admin: (actor, { id }) => Effect.flatMap(idOf(id), (id) => Acts.setRole(actor, id, "admin")),
  make_user: (actor, { id }) => Effect.flatMap(idOf(id), (id) => Acts.setRole(actor, id, "user")),
  end_all: (actor, { id }) => Effect.flatMap(idOf(id), (id) => Acts.endAll(actor, id)),
  end_session: (actor, { id }) => Effect.flatMap(idOf(id), (id) => Acts.endSession(actor, id, undefined)),
  add_route: (actor, { description = "", host = "", path = "", role = "" }) => Acts.addRoute(actor, { description, host, path, role }),
  turn_on: (actor, { id }) => Effect.flatMap(idOf(id), (id) => Acts.turnRoute(actor, id, true)),
  turn_off: (actor, { id }) => Effect.flatMap(idOf(id), (id) => Acts.turnRoute(actor, id, false)),
  remove_route: (actor, { id }) => Effect.flatMap(idOf(id), (id) => Acts.removeRoute(actor, id))
}

export const panel = HttpApiBuilder.group(EdgeAuthApi, "panel", Effect.fn(function*(handlers) {
  const sql = yield* SqlClient.SqlClient
  const { defaultDeny, home } = yield* Edge
  const picture = yield* Picture

  /** Who is in front, with the session they came by; a way to the login page for nobody. */
  const signedIn = (path: string, query: { readonly lang?: string }) =>
    Effect.gen(function*() {
      const visitor = yield* visitorOf(home, query)
      const session = yield* Sessions.current(visitor.tokens)
      const user = session === undefined ? undefined : yield* Users.byId(session.user_id)
      const login = HttpServerResponse.empty({ status: 302, headers: { location: loginAddress(home.base, `${home.base}${path}`), "cache-control": "no-store" } })
      return session === undefined || user === undefined ? { login } : { visitor, session, user, login: undefined }
    })

  /** Elsewhere it holds within a second. */
  const hereAtOnce = Effect.ignore(picture.refresh)

  const back = (path: string) => HttpServerResponse.empty({ status: 303, headers: { location: `${home.base}${path}`, "cache-control": "no-store" } })

  return handlers.handleAll({
    account: Effect.fnUntraced(function*({ query }) {
      const front = yield* orUnavailable(signedIn("/account", query))
      if (front.login !== undefined) return front.login
      const { session, user, visitor } = front
      return accountPage({ ...visitor, user, here: session.id, sessions: yield* orUnavailable(Sessions.open(user.id, shown)) })
    }),
    changeAccount: Effect.fnUntraced(function*({ payload: { act, form_token, id }, query }) {
      const front = yield* orUnavailable(signedIn("/account", query))
      if (front.login !== undefined) return front.login
      const { user, visitor } = front
      if (!visitor.isOurs(form_token)) return saidPage(visitor.language, words[visitor.language].account, words[visitor.language].stale, 403)
      const actor = { userId: user.id, ip: visitor.client.ip }
      const work: Acting = act === "end_all" ? Acts.endAll(actor, user.id) : Effect.flatMap(idOf(id), (id) => Acts.endSession(actor, id, user.id))
      return yield* orUnavailable(work.pipe(Effect.tap(hereAtOnce), Effect.as(back("/account")), Effect.catchTag("Impossible", () => Effect.succeed(back("/account")))))
    }),
    admin: Effect.fnUntraced(function*({ query }) {
      const front = yield* orUnavailable(signedIn("/admin", query))
      if (front.login !== undefined) return front.login
      const { session, user, visitor } = front
      if (user.role !== "admin") return saidPage(visitor.language, words[visitor.language].admin, words[visitor.language].forbidden, 403)
      return yield* orUnavailable(panelPage({ ...visitor, here: session.id }))
    }),
    changeAdmin: Effect.fnUntraced(function*({ payload: { act, description, form_token, host, id, path, role }, query }) {
      const front = yield* orUnavailable(signedIn("/admin", query))
      if (front.login !== undefined) return front.login
      const { session, user, visitor } = front
      const t = words[visitor.language]
      if (user.role !== "admin") return saidPage(visitor.language, t.admin, t.forbidden, 403)
      const again = (problem: string, status: number) => panelPage({ ...visitor, here: session.id, problem, status })
      if (!visitor.isOurs(form_token)) return yield* orUnavailable(again(t.stale, 403))
      const work = Object.hasOwn(acts, act ?? "") ? acts[act!]!({ userId: user.id, ip: visitor.client.ip }, { act, id, host, path, role, description }) : Effect.fail(noId)
      return yield* orUnavailable(work.pipe(Effect.tap(hereAtOnce), Effect.as(back("/admin")), Effect.catchTag("Impossible", ({ reason }) => again(t[reason], 409))))
    })
  })

  function panelPage(given: Pick<Parameters<typeof adminPage>[0], "language" | "formToken" | "headers" | "here" | "problem" | "status">) {
    return Effect.gen(function*() {
      const routes = yield* RouteRows.list
      const seen = yield* sql<Seen>`select host, last_seen from edge_auth.seen_hosts order by last_seen desc limit ${shown}`
      return adminPage({
        ...given,
        users: yield* Users.list(0, shown),
        routes,
        coverage: coverageOf(seen, routes.filter(({ enabled }) => enabled), defaultDeny),
        sessions: yield* Sessions.open(undefined, shown)
      })
    })
  }
}))
