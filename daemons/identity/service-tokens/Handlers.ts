import { Effect, Redacted, Schema } from "effect"
import * as Handlers from "#core/http/Handlers.ts"
import * as Audit from "#core/log/Audit.ts"
import { all, Permission } from "#core/auth/Permissions.ts"
import { providerTenant } from "#core/auth/Caller.ts"
import * as Store from "#core/auth/ServiceTokenStore.ts"
import { Standing } from "#core/auth/Standing.ts"
import { noStore } from "#core/http/AnswerHeaders.ts"
import { InvalidRequest, NotFound, orUnavailable } from "#core/http/Problem.ts"
import { transaction } from "#core/sql/Sql.ts"
import { ServiceTokensApi } from "./Api.ts"
import { defaultPage, paged } from "#core/http/Paging.ts"
import { maxLifetime, type TokenView } from "./Api.ts"
import { actor, type AuditActor, providerOnly, ScopeExceeds } from "../users/Exports.ts"

const noSuchToken = new NotFound({ detail: "There is no such service token." })

/** API representation of a token. */
const view = ({
  created_at,
  expires_at,
  id,
  last_used_at,
  name,
  revoked_at,
  scopes
}: Store.ServiceToken): typeof TokenView.Type => ({
  id,
  name,
  scopes,
  state:
    revoked_at !== null ? "revoked" : expires_at !== null && expires_at.getTime() <= Date.now() ? "expired" : "valid",
  created_at: created_at.toISOString(),
  expires_at: expires_at?.toISOString() ?? null,
  revoked_at: revoked_at?.toISOString() ?? null,
  last_used_at: last_used_at?.toISOString() ?? null
})

/**
 * Whether the actor holds every permission of the scope. Otherwise the token would grant the actor more than it has.
 */
const mayGive = (by: AuditActor, scope: Store.Scope): boolean =>
  Schema.is(Permission)(scope) ? by.holds(scope) : all.every(by.holds)

/** Expiry of the token, or the problem of the given values. */
const endOf = (
  { expires_at, expires_in }: { readonly expires_at?: string; readonly expires_in?: number },
  now: number
): Date | InvalidRequest | undefined => {
  const wrong = (message: string) => new InvalidRequest({ errors: [{ field: "payload.expires_at", message }] })
  if (expires_in !== undefined)
    return expires_at === undefined
      ? new Date(now + expires_in * 1000)
      : wrong("give expires_in or expires_at, not both")
  if (expires_at === undefined) return undefined
  const end = new Date(expires_at)
  if (end.getTime() <= now) return wrong("must lie in the future")
  return end.getTime() > now + maxLifetime * 1000
    ? wrong("must lie within ten years; leave it out for a token without an end")
    : end
}

export const serviceTokens = Handlers.group(
  ServiceTokensApi,
  "service-tokens",
  Effect.fn(function* (handlers) {
    const standing = yield* Standing

    const note = (by: AuditActor, id: number, action: string, detail: Audit.Entry["detail"] = {}) =>
      Audit.write({
        tenantId: providerTenant,
        actor: by.name,
        action,
        entity: "service_token",
        id: String(id),
        address: by.address,
        detail
      })

    const providers = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      Effect.andThen(providerOnly, orUnavailable(transaction(effect)))

    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query: { before = Number.POSITIVE_INFINITY, limit = defaultPage } }) {
        const tokens = yield* providers(Store.list)
        return paged(
          tokens
            .filter(({ id }) => id < before)
            .toReversed()
            .slice(0, limit + 1)
            .map(view),
          limit
        )
      }),
      show: Effect.fnUntraced(function* ({ params }) {
        const found = yield* providers(Store.get(params.id))
        return found === undefined ? yield* noSuchToken : view(found)
      }),
      create: Effect.fnUntraced(function* ({ payload }) {
        yield* providerOnly
        const by = yield* actor
        const scopes = [...new Set(payload.scopes)]
        const beyond = scopes.find((scope) => !mayGive(by, scope))
        if (beyond !== undefined)
          return yield* new ScopeExceeds({ scope: beyond, detail: `You may not give the scope ${beyond}.` })
        const end = endOf(payload, Date.now())
        if (end instanceof InvalidRequest) return yield* end
        const name = payload.name.trim()
        const made = yield* providers(
          Effect.gen(function* () {
            const { id, token } = yield* Store.create({
              name,
              scopes,
              ...(end === undefined ? {} : { expiresAt: end })
            })
            yield* note(by, id, "service_token.created", { name, scopes })
            return { ...view((yield* Store.get(id))!), token: Redacted.value(token) }
          })
        )
        yield* noStore
        return made
      }),
      revoke: Effect.fnUntraced(function* ({ params }) {
        const by = yield* actor
        const was = yield* providers(
          Effect.tap(Store.revoke(params.id), (was) =>
            was ? note(by, params.id, "service_token.revoked") : Effect.void
          )
        )
        if (!was) return yield* noSuchToken
        yield* Effect.ignore(standing.refresh)
      })
    })
  })
)
