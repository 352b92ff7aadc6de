/** Who is in front of a page: language, form, way on. */
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { client } from "#core/http/Client.ts"
import { languageFrom } from "#core/words/Language.ts"
import { Edge } from "./Edge.ts"
import { elsewhereOf } from "./OtherDomain.ts"
import { formCookie, formTokenOf, isOurs, newFormToken } from "./pages/FormToken.ts"
import { EdgeProjection } from "./EdgeProjection.ts"
import { returnTo } from "./ReturnTo.ts"
import { tokensOf } from "./SessionCookie.ts"

/** The HTTP client of a request. */
export interface Client {
  readonly ip: string
  readonly userAgent: string
}

/** Makes the look at a visitor, from the services a group of handlers is built with. */
export const makeVisitor = Effect.gen(function* () {
  const { handoffPath, home } = yield* Edge
  const projection = yield* EdgeProjection

  return Effect.fnUntraced(function* (query: { readonly lang?: string; readonly rd?: string }) {
    const { headers } = yield* HttpServerRequest.HttpServerRequest
    const { address, userAgent = "" } = yield* client
    const held = formTokenOf(headers.cookie, home.base)
    const formToken = held ?? newFormToken()
    const elsewhere = elsewhereOf(query.rd, home)
    // While it cannot be told which hosts are ours, nobody is sent to one that may not be.
    if (elsewhere !== undefined && handoffPath !== undefined) yield* Effect.ignore(projection.ensure)
    const onward =
      elsewhere !== undefined && handoffPath !== undefined && projection.routes.has(elsewhere.host)
        ? elsewhere
        : undefined
    return {
      language: languageFrom(query.lang, headers["accept-language"]),
      client: { ip: address, userAgent },
      formToken,
      /** Sets the form's cookie where there is none. */
      headers: held === undefined ? { "set-cookie": formCookie(formToken, home.base) } : {},
      /** Address to go on to that the session reaches, by itself or handed over. */
      wanted: onward?.target ?? returnTo(query.rd, home),
      /** The same when it has to be handed over. */
      onward,
      /** Redirects after a form count as where it leads. */
      formTargets: [
        ...(home.cookieDomain === undefined ? [] : [`https://${home.cookieDomain}`, `https://*.${home.cookieDomain}`]),
        ...(onward === undefined ? [] : [onward.origin])
      ],
      /** Host that somebody wants and no session of ours reaches. */
      unreached: onward === undefined ? elsewhere?.host : undefined,
      isOurs: (sent: string | undefined) =>
        isOurs({ cookies: headers.cookie, origin: headers["origin"], sent, base: home.base }),
      tokens: tokensOf(headers.cookie)
    }
  })
})

export type Visitor = Effect.Success<ReturnType<Effect.Success<typeof makeVisitor>>>
