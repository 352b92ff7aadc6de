/** Visitor of a page: language, client, form token, session tokens and return address. */
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { client } from "#core/http/Client.ts"
import { chooseLanguage } from "#core/words/ChooseLanguage.ts"
import { Edge } from "./Edge.ts"
import { elsewhereOf } from "./OtherDomain.ts"
import { formCookie, formTokenOf, isOurs, newFormToken } from "./pages/FormToken.ts"
import { EdgeProjection } from "./EdgeProjection.ts"
import { keepsCookies } from "./OwnAddress.ts"
import { words } from "./pages/Words.ts"
import { returnTo } from "./ReturnTo.ts"
import { tokensOf } from "./SessionCookie.ts"

/** The HTTP client of a request. */
export interface Client {
  readonly ip: string
  readonly userAgent: string
}

/** Builds the function that reads a visitor from a request; needs the services of the handler group. */
export const makeVisitor = Effect.gen(function* () {
  const { handoffPath, homeOf } = yield* Edge
  const projection = yield* EdgeProjection

  return Effect.fnUntraced(function* (query: { readonly lang?: string; readonly rd?: string }) {
    const { headers } = yield* HttpServerRequest.HttpServerRequest
    const { address, userAgent = "" } = yield* client
    const home = homeOf(headers)
    const language = chooseLanguage(query.lang, headers["accept-language"])
    const held = formTokenOf(headers.cookie, home.base)
    const formToken = held ?? newFormToken()
    const elsewhere = elsewhereOf(query.rd, home)
    // Without fresh routes it is unknown whether the host is ours; the visitor then stays at our own domain.
    if (elsewhere !== undefined && handoffPath !== undefined) yield* Effect.ignore(projection.ensure)
    const onward =
      elsewhere !== undefined && handoffPath !== undefined && projection.routes.has(elsewhere.host)
        ? elsewhere
        : undefined
    return {
      language,
      home,
      /** Whether the browser will store the session cookie. */
      keepsCookies: keepsCookies(home.base),
      /** Why a form is not ours. */
      notOurs:
        headers["origin"] === undefined || headers["origin"] === new URL(home.base).origin
          ? words(language).stale
          : words(language).otherAddress({ base: home.base }),
      client: { ip: address, userAgent },
      formToken,
      /** Sets the cookie of the form token when the browser has none. */
      headers: held === undefined ? { "set-cookie": formCookie(formToken, home.base) } : {},
      /** Return address that the session reaches, by its cookie or by a hand-over. */
      wanted: onward?.target ?? returnTo(query.rd, home),
      /** The return address when the session must be handed over to reach it. */
      onward,
      /** Sources for the CSP `form-action`: browsers apply it also to redirects after a form. */
      formTargets: [
        ...(home.cookieDomain === undefined ? [] : [`https://${home.cookieDomain}`, `https://*.${home.cookieDomain}`]),
        ...(onward === undefined ? [] : [onward.origin])
      ],
      /** Host of a return address that no session of ours reaches. */
      unreached: onward === undefined ? elsewhere?.host : undefined,
      isOurs: (sent: string | undefined) =>
        isOurs({ cookies: headers.cookie, origin: headers["origin"], sent, base: home.base }),
      tokens: tokensOf(headers.cookie)
    }
  })
})

export type Visitor = Effect.Success<ReturnType<Effect.Success<typeof makeVisitor>>>
