/** Panel of the administrators: users, protected routes, coverage, sessions. Pure. */
import type { LanguageCode } from "#core/words/TextMemory.ts"
import { h, type HTMLAttributes } from "preact"
import type { Sessions, Users } from "../accounts/Exports.ts"
import type { CoverageReport, RouteRows } from "../routes/Exports.ts"
import { sessionTable } from "./AccountPage.ts"
import { alert, button, field, moment, page, table } from "../edge/pages/Page.ts"
import { words } from "../edge/pages/Words.ts"

export interface AdminPage {
  readonly language: LanguageCode
  readonly formToken: string
  readonly users: ReadonlyArray<Users.User>
  readonly routes: ReadonlyArray<RouteRows.ProtectedRoute>
  readonly coverage: CoverageReport
  readonly sessions: ReadonlyArray<Sessions.Session>
  readonly here: number
  readonly problem?: string | undefined
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

export const adminPage = ({
  coverage,
  formToken,
  headers = {},
  here,
  language,
  problem,
  routes,
  sessions,
  status = 200,
  users
}: AdminPage) => {
  const t = words(language)
  return page(
    { language, title: t.admin, wide: true, status, headers },
    h(
      "p",
      null,
      h("a", { href: `/account?lang=${language}` }, t.account),
      " · ",
      h("a", { href: `/logout?lang=${language}` }, t.signOut)
    ),
    alert(problem),
    h("h2", null, t.users),
    userTable(users, language, formToken),
    h("h2", null, t.routes),
    routeTable(routes, language, formToken),
    routeForm(language, formToken),
    h("h2", null, t.coverage),
    ...coverageTable(coverage, language),
    h("h2", null, t.allSessions),
    sessionTable(sessions, { language, formToken, here, action: `/admin?lang=${language}`, named: true })
  )
}

const userTable = (users: ReadonlyArray<Users.User>, language: LanguageCode, formToken: string) => {
  const t = words(language)
  const act = (text: string, { email, id }: Users.User, act: string) =>
    button(text, email, formToken, `/admin?lang=${language}`, { act, id })
  return table(
    t.users,
    [t.email, t.name, t.state, t.roleTitle, ""],
    users.map((user) => [
      h("td", null, user.email),
      h("td", null, user.name),
      h("td", null, t.status[user.status]),
      h("td", null, t.role[user.role]),
      h(
        "td",
        null,
        user.status === "pending"
          ? act(t.approve, user, "approve")
          : user.status === "active"
            ? act(t.block, user, "block")
            : act(t.unblock, user, "approve"),
        " ",
        user.role === "user" ? act(t.makeAdmin, user, "make_admin") : act(t.makeUser, user, "make_user"),
        " ",
        ...(user.has_totp ? [act(t.resetFactor, user, "reset_factor"), " "] : []),
        act(t.everywhere, user, "end_all")
      )
    ])
  )
}

const routeTable = (routes: ReadonlyArray<RouteRows.ProtectedRoute>, language: LanguageCode, formToken: string) => {
  const t = words(language)
  return table(
    t.routes,
    [t.host, t.path, t.needs, t.description, t.state, ""],
    routes.map(({ description, enabled, host, id, path, required_role }) => {
      const act = (text: string, act: string) =>
        button(text, `${host}${path}`, formToken, `/admin?lang=${language}`, { act, id })
      return [
        h("td", null, host),
        h("td", null, path),
        h("td", null, t.role[required_role]),
        h("td", null, description),
        h("td", null, enabled ? t.on : t.off),
        h(
          "td",
          null,
          enabled ? act(t.turnOff, "turn_off") : act(t.turnOn, "turn_on"),
          " ",
          act(t.remove, "remove_route")
        )
      ]
    })
  )
}

const routeForm = (language: LanguageCode, formToken: string) => {
  const t = words(language)
  return h(
    "form",
    { method: "post", action: `/admin?lang=${language}`, class: "pair" },
    h("input", { type: "hidden", name: "form_token", value: formToken }),
    h("input", { type: "hidden", name: "act", value: "add_route" }),
    field(t.host, { name: "host", required: true, placeholder: "app.example.org" }),
    field(t.path, { name: "path", required: true, value: "/" }),
    h(
      "label",
      null,
      t.needs,
      h(
        "select",
        { name: "role" },
        h("option", { value: "user" }, t.role.user),
        h("option", { value: "admin" }, t.role.admin)
      )
    ),
    field(t.description, { name: "description", maxlength: 200 }),
    h("button", { type: "submit" }, t.add)
  )
}

const coverageTable = ({ hosts, unread }: CoverageReport, language: LanguageCode) => {
  const t = words(language)
  const said = {
    protected: t.protectedState,
    partly: t.partlyState,
    no_route: t.noRoute,
    denied: t.denied,
    no_check: t.noCheck,
    not_asked: t.noProxy
  } as const
  return [
    table(
      t.coverage,
      [t.host, t.state, t.lastSeen],
      hosts.map(({ host, last_asked, state, unchecked }) => [
        h("td", null, host),
        h(
          "td",
          mark(state === "protected" || state === "denied"),
          said[state],
          ...unchecked.map((where) => h("small", null, " ", where))
        ),
        h("td", null, last_asked === null ? t.neverSeen : moment(new Date(last_asked), language))
      ])
    ),
    ...(unread.length === 0 ? [] : [h("p", null, t.unread), h("ul", null, ...unread.map((one) => h("li", null, one)))])
  ]
}

const mark = (isGood: boolean): HTMLAttributes<HTMLElement> => ({ class: isGood ? "good" : "warn" })
