/** Account page of a signed-in user. Pure. */
import type { LanguageCode } from "#core/words/TextMemory.ts"
import { h } from "preact"
import type { Sessions, Users } from "../accounts/Exports.ts"
import { type FactorState, factorPart } from "./FactorPart.ts"
import { button, moment, page, table } from "../edge/pages/Page.ts"
import { words } from "../edge/pages/Words.ts"

export interface AccountPage {
  readonly language: LanguageCode
  readonly formToken: string
  readonly user: Users.User
  readonly sessions: ReadonlyArray<Sessions.Session>
  /** Id of the session that requests the page. */
  readonly here: number
  readonly factor: FactorState
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

export const accountPage = ({
  factor,
  formToken,
  headers = {},
  here,
  language,
  sessions,
  status = 200,
  user
}: AccountPage) => {
  const t = words(language)
  return page(
    { language, title: t.account, wide: true, status, headers },
    h("p", null, `${user.name} · ${user.email} · ${t.role[user.role]}`),
    h(
      "p",
      null,
      ...(user.role === "admin" ? [h("a", { href: `/admin?lang=${language}` }, t.admin), " · "] : []),
      h("a", { href: `/logout?lang=${language}` }, t.signOut)
    ),
    h("h2", null, t.factor),
    ...factorPart(factor, language, formToken),
    h("h2", null, t.sessions),
    sessionTable(sessions, { language, formToken, here, action: `/account?lang=${language}` }),
    button(t.everywhere, user.email, formToken, `/account?lang=${language}`, { act: "end_all" })
  )
}

/** Table of sessions with a button to end each. `named`: with the user's address. */
export const sessionTable = (
  sessions: ReadonlyArray<Sessions.Session>,
  options: {
    readonly language: LanguageCode
    readonly formToken: string
    readonly here: number
    readonly action: string
    readonly named?: boolean
  }
) => {
  const t = words(options.language)
  return table(
    t.allSessions,
    [...(options.named === true ? [t.email] : []), t.begun, t.until, t.from, ""],
    sessions.map((session) => [
      ...(options.named === true ? [h("td", null, session.email)] : []),
      h("td", null, moment(session.created_at, options.language)),
      h("td", null, moment(session.expires_at, options.language)),
      h(
        "td",
        null,
        ...(session.host === null ? [] : [session.host, h("br", null)]),
        session.ip,
        h("br", null),
        h("small", null, session.user_agent)
      ),
      h(
        "td",
        null,
        session.id === options.here
          ? t.here
          : button(t.end, `${session.ip} ${session.created_at.toISOString()}`, options.formToken, options.action, {
              act: "end_session",
              id: session.id
            })
      )
    ])
  )
}
