/**
 * Tenant of a request. Names of models and words are unique in one tenant only, so a caller that sees all tenants acts
 * for one: the tenant of `tenant_id`, otherwise the provider.
 */
import { Effect } from "effect"
import { Caller, providerTenant } from "#core/auth/Caller.ts"
import { Forbidden } from "#core/http/Problem.ts"
import { tenantTransaction } from "#core/sql/Sql.ts"

/** The caller's tenant, or for a platform caller the named one. A user may name no other tenant. */
export const tenantFor = (named: number | undefined): Effect.Effect<number, Forbidden, Caller> =>
  Effect.flatMap(Caller, (caller) => {
    if (caller.kind === "service") return Effect.succeed(named ?? providerTenant)
    return named === undefined || named === caller.tenantId
      ? Effect.succeed(caller.tenantId)
      : Effect.fail(new Forbidden({ detail: "Only platform tokens may name a tenant." }))
  })

/** Runs `effect` in one short transaction that sees the rows of that tenant. */
export const inTenantOf = <A, E, R>(named: number | undefined, effect: (tenant: number) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(tenantFor(named), (tenant) => tenantTransaction(tenant, effect(tenant)))
