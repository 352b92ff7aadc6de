/** Who is in front of a page: language, form, way back. */
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { client } from "#core/http/Client.ts"
import { languageFrom } from "#core/http/Language.ts"
import { formCookie, formTokenOf, isOurs, newFormToken } from "../pages/FormToken.ts"
import { hostOf } from "../verify/Host.ts"
import { type Home, returnTo } from "../verify/ReturnTo.ts"
import { tokensOf } from "../verify/SessionCookie.ts"

export const visitorOf = Effect.fnUntraced(function*(home: Home, query: { readonly lang?: string; readonly rd?: string }) {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const { address, userAgent = "" } = yield* client
  const held = formTokenOf(headers.cookie, home.base)
  const formToken = held ?? newFormToken()
  const wanted = returnTo(query.rd, home)
  return {
    language: languageFrom(query.lang, headers["accept-language"]),
    client: { ip: address, userAgent },
    formToken,
    /** Sets the form's cookie where there is none. */
    headers: held === undefined ? { "set-cookie": formCookie(formToken, home.base) } : {},
    wanted,
    /** Redirects after a form count as where it leads. */
    formTargets: home.cookieDomain === undefined ? [] : [`https://${home.cookieDomain}`, `https://*.${home.cookieDomain}`],
    /** Host that somebody wants and this session does not reach. */
    elsewhere: wanted === undefined && query.rd !== undefined && URL.canParse(query.rd) ? hostOf(new URL(query.rd).host) : undefined,
    isOurs: (sent: string | undefined) => isOurs({ cookies: headers.cookie, origin: headers["origin"], sent, base: home.base }),
    tokens: tokensOf(headers.cookie)
  }
})
