import { chooseLanguage } from "#core/words/ChooseLanguage.ts"
import { randomBytes } from "node:crypto"
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import * as Handlers from "#core/http/Handlers.ts"
import type { SqlError } from "effect/sql"
import { noStore } from "#core/http/AnswerHeaders.ts"
import { client } from "#core/http/Client.ts"
import { FederationApi } from "./Api.ts"
import * as ErrorPage from "./ErrorPage.ts"
import { handleCallback } from "./FederatedSignIn.ts"
import { FederationRefused, isSuspicious } from "./FederationRefused.ts"
import * as FlowCookie from "./FlowCookie.ts"
import * as OidcFlow from "./OidcFlow.ts"
import { type ProviderAway, Providers } from "./Providers.ts"
import { AccessRefusals, PublicBase } from "../sessions/Exports.ts"
import { defaultReturnTo } from "./ReturnTo.ts"

/**
 * Length of the identifier that links an error page with the log. Unit: bytes. Reason: short enough to read out, and
 * unique among the refusals of a year.
 */
const correlationBytes = 6

export const federation = Handlers.group(
  FederationApi,
  "federation",
  Effect.fn(function* (handlers) {
    const providers = yield* Providers
    const publicBase = yield* PublicBase
    const refusals = yield* AccessRefusals
    const startUrl = (base: string, id: string) => `${base}${FlowCookie.cookiePath}/${id}/start`

    const findProvider = (id: string) => {
      const provider = providers.get(id)
      return provider === undefined
        ? Effect.fail(new FederationRefused({ reason: "unknown_provider" }))
        : Effect.succeed(provider)
    }

    /** Records the reason in log, metrics and audit log, and returns the error page. */
    const errorPage = Effect.fnUntraced(function* (id: string, refused: FederationRefused) {
      const { headers } = yield* HttpServerRequest.HttpServerRequest
      const { address } = yield* client
      const { reason } = refused
      const correlation = randomBytes(correlationBytes).toString("hex")
      const provider = providers.get(id)?.id
      yield* Effect.logInfo(`${refused.message}; provider ${provider ?? "unknown"}, correlation ${correlation}`)
      if (!isSuspicious(reason)) refusals.count(`oidc_${reason}`)
      else {
        yield* refusals.tell({
          kind: `oidc_${reason}`,
          address,
          detail: { provider, correlation },
          tenantId: refused.tenantId,
          ...(refused.accountId === undefined ? {} : { entity: "user", id: String(refused.accountId) })
        })
      }
      const { html, status } = ErrorPage.render({
        reason,
        language: chooseLanguage(undefined, headers["accept-language"]),
        correlation,
        startUrl: provider === undefined ? undefined : startUrl(publicBase.of(headers), provider)
      })
      return HttpServerResponse.text(html, {
        status,
        contentType: "text/html; charset=utf-8",
        headers: {
          "content-security-policy": ErrorPage.policy(),
          "x-content-type-options": "nosniff",
          "referrer-policy": "no-referrer",
          vary: "accept-language"
        }
      })
    })

    /** Turns every failure into an HTML page, because the client is a browser. */
    const orErrorPage = <R>(
      id: string,
      answer: Effect.Effect<
        HttpServerResponse.HttpServerResponse,
        FederationRefused | ProviderAway | SqlError.SqlError,
        R
      >
    ) =>
      answer.pipe(
        Effect.catch((error) =>
          errorPage(
            id,
            error._tag === "FederationRefused"
              ? error
              : new FederationRefused({
                  reason: error._tag === "ProviderAway" ? "away" : "unavailable",
                  detail: error.message
                })
          )
        ),
        Effect.tap(noStore)
      )

    return handlers.handleAll({
      providers: Effect.fnUntraced(function* () {
        const { headers } = yield* HttpServerRequest.HttpServerRequest
        const base = publicBase.of(headers)
        const items = yield* Effect.forEach(
          providers.all,
          (provider) =>
            Effect.map(providers.available(provider), (available) => ({
              id: provider.id,
              title: provider.title,
              available,
              start_url: startUrl(base, provider.id)
            })),
          { concurrency: "unbounded" }
        )
        return { items }
      }),
      start: ({ params, query }) =>
        orErrorPage(
          params.provider,
          Effect.gen(function* () {
            const { headers } = yield* HttpServerRequest.HttpServerRequest
            const { address } = yield* client
            const { cookie, url } = yield* OidcFlow.begin({
              provider: yield* findProvider(params.provider),
              base: publicBase.of(headers),
              returnTo: query.return_to ?? defaultReturnTo,
              address
            })
            return HttpServerResponse.empty({ status: 302, headers: { location: url, "set-cookie": cookie } })
          })
        ),
      callback: Effect.fnUntraced(function* ({ params, query }) {
        const request = yield* HttpServerRequest.HttpServerRequest
        const base = publicBase.of(request.headers)
        const answer = yield* orErrorPage(
          params.provider,
          Effect.gen(function* () {
            const { address } = yield* client
            const provider = yield* findProvider(params.provider)
            const { searchParams } = new URL(request.url, "http://localhost")
            const location = yield* handleCallback({
              provider,
              query: searchParams,
              cookies: request.cookies,
              base,
              address
            })
            return HttpServerResponse.empty({ status: 303, headers: { location } })
          })
        )
        return query.state === undefined
          ? answer
          : HttpServerResponse.setHeader(answer, "set-cookie", FlowCookie.clearCookie(base, query.state))
      })
    })
  })
)
