import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import * as Handlers from "#core/http/Handlers.ts"
import { writeFor } from "#core/log/Audit.ts"
import { Caller, inScope } from "#core/auth/Caller.ts"
import { answerHeaders, noStore, retryAfter } from "#core/http/AnswerHeaders.ts"
import { client } from "#core/http/Client.ts"
import { NotFound, orUnavailable } from "#core/http/Problem.ts"
import { FederationApi } from "./Api.ts"
import { LastWayIn, ProviderUnavailable } from "./Errors.ts"
import { PublicBase, TooManyTries } from "../sessions/Exports.ts"
import { flowLifetime } from "./FlowCookie.ts"
import * as LinkedAccounts from "./Store.ts"
import * as OidcFlow from "./OidcFlow.ts"
import { issuerKey } from "./Settings.ts"
import { Providers } from "./Providers.ts"
import { defaultReturnTo } from "./ReturnTo.ts"

const noSuchProvider = new NotFound({ detail: "There is no such external provider." })

/** The signed-in user. Service tokens are refused before (UsersOnly). */
const user = Effect.flatMap(Caller, (caller) =>
  caller.kind === "user" ? Effect.succeed(caller) : Effect.die(new Error("a service token passed UsersOnly"))
)

export const linked = Handlers.group(
  FederationApi,
  "linked-providers",
  Effect.fn(function* (handlers) {
    const providers = yield* Providers
    const publicBase = yield* PublicBase
    const byIssuer = (issuer: string) => providers.all.find((provider) => issuerKey(provider.issuer) === issuer)

    return handlers.handleAll({
      list: Effect.fnUntraced(function* () {
        const { userId } = yield* user
        const links = yield* orUnavailable(inScope(LinkedAccounts.list(userId)))
        return {
          items: links.map(({ email, issuer, last_used_at, linked_at, linked_by }) => {
            const provider = byIssuer(issuer)
            return {
              provider: provider?.id ?? null,
              title: provider?.title ?? new URL(issuer).host,
              email,
              linked_by,
              linked_at: linked_at.toISOString(),
              last_used_at: last_used_at?.toISOString() ?? null
            }
          })
        }
      }),
      connect: Effect.fnUntraced(function* ({ params, payload }) {
        const caller = yield* user
        const provider = providers.get(params.provider)
        if (provider === undefined) return yield* noSuchProvider
        const { headers } = yield* HttpServerRequest.HttpServerRequest
        const { address } = yield* client
        const { cookie, url } = yield* orUnavailable(
          OidcFlow.begin({
            provider,
            base: publicBase.of(headers),
            returnTo: payload?.return_to ?? defaultReturnTo,
            address,
            connecting: { accountId: caller.userId, session: caller.session }
          })
        ).pipe(
          Effect.catchTags({
            ProviderAway: (error) =>
              Effect.andThen(
                Effect.logInfo(error.message),
                Effect.fail(new ProviderUnavailable({ detail: "Try again later." }))
              ),
            FederationRefused: () =>
              Effect.andThen(
                retryAfter(flowLifetime),
                Effect.fail(
                  new TooManyTries({ detail: "Too many sign-ins from this address are in progress; try again later." })
                )
              )
          })
        )
        yield* noStore
        yield* answerHeaders({ "set-cookie": cookie })
        return { url }
      }),
      disconnect: Effect.fnUntraced(function* ({ params }) {
        const caller = yield* user
        const provider = providers.get(params.provider)
        if (provider === undefined) return yield* noSuchProvider
        const { address } = yield* client
        const usable = providers.all.map(({ issuer }) => issuerKey(issuer))
        const outcome = yield* orUnavailable(
          inScope(
            Effect.tap(LinkedAccounts.unlink(caller.userId, issuerKey(provider.issuer), usable), (outcome) =>
              outcome !== "removed"
                ? Effect.void
                : writeFor({
                    tenantId: caller.tenantId,
                    action: "federation.unlinked",
                    entity: "user",
                    id: String(caller.userId),
                    address,
                    detail: { provider: provider.id, issuer: provider.issuer }
                  })
            )
          )
        )
        if (outcome === "none") return yield* noSuchProvider
        if (outcome === "last")
          return yield* new LastWayIn({ detail: "Set a password or connect another provider first." })
      })
    })
  })
)
