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
const mayGrant = (by: AuditActor, scope: Store.Scope): boolean =>
  Schema.is(Permission)(scope) ? by.holds(scope) : all.every(by.holds)

/** Expiry of the token, or the problem of the given values. */
const expiryOf = (
  { expires_at, expires_in }: { readonly expires_at?: string; readonly expires_in?: number },
  now: number
): Date | InvalidRequest | undefined => {
  const invalid = (message: string) => new InvalidRequest({ errors: [{ field: "payload.expires_at", message }] })
  if (expires_in !== undefined)
    return expires_at === undefined
      ? new Date(now + expires_in * 1000)
      : invalid("set only one of expires_in and expires_at")
  if (expires_at === undefined) return undefined
  const end = new Date(expires_at)
  if (end.getTime() <= now) return invalid("must be in the future")
  return end.getTime() > now + maxLifetime * 1000
    ? invalid("must be within ten years; omit it for a token that never expires")
    : end
}

export const serviceTokens = Handlers.group(
  ServiceTokensApi,
  "service-tokens",
  Effect.fn(function* (handlers) {
    const standing = yield* Standing

    const writeAudit = (by: AuditActor, id: number, action: string, detail: Audit.Entry["detail"] = {}) =>
      Audit.write({
        tenantId: providerTenant,
        actor: by.name,
        action,
        entity: "service_token",
        id: String(id),
        address: by.address,
        detail
      })

    const asProvider = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      Effect.andThen(providerOnly, orUnavailable(transaction(effect)))

    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query: { before = Number.POSITIVE_INFINITY, limit = defaultPage } }) {
        const tokens = yield* asProvider(Store.list)
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
        const found = yield* asProvider(Store.get(params.id))
        return found === undefined ? yield* noSuchToken : view(found)
      }),
      create: Effect.fnUntraced(function* ({ payload }) {
        yield* providerOnly
        const by = yield* actor
        const scopes = [...new Set(payload.scopes)]
        const exceeding = scopes.find((scope) => !mayGrant(by, scope))
        if (exceeding !== undefined)
          return yield* new ScopeExceeds({ scope: exceeding, detail: `You lack the scope ${exceeding}.` })
        const expiry = expiryOf(payload, Date.now())
        if (expiry instanceof InvalidRequest) return yield* expiry
        const name = payload.name.trim()
        const created = yield* asProvider(
          Effect.gen(function* () {
            const { id, token } = yield* Store.create({
              name,
              scopes,
              ...(expiry === undefined ? {} : { expiresAt: expiry })
            })
            yield* writeAudit(by, id, "service_token.created", { name, scopes })
            return { ...view((yield* Store.get(id))!), token: Redacted.value(token) }
          })
        )
        yield* noStore
        return created
      }),
      revoke: Effect.fnUntraced(function* ({ params }) {
        const by = yield* actor
        const revoked = yield* asProvider(
          Effect.tap(Store.revoke(params.id), (was) =>
            was ? writeAudit(by, params.id, "service_token.revoked") : Effect.void
          )
        )
        if (!revoked) return yield* noSuchToken
        yield* Effect.ignore(standing.refresh)
      })
    })
  })
)
