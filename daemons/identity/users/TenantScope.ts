/**
 * Tenant of a management request. By default the caller's own; service tokens and the provider's administrators may
 * name another one. Work in a named tenant runs under row-level security.
 */
import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { Caller, inScope, providerTenant } from "#core/auth/Caller.ts"
import { requireTenantAccess } from "#core/auth/NamedTenant.ts"
import { Forbidden } from "#core/http/Problem.ts"
import { tenantTransaction } from "#core/sql/Sql.ts"

/** Refuses callers that do not belong to the provider. */
export const providerOnly: Effect.Effect<void, Forbidden, Caller> = Effect.flatMap(Caller, (caller) =>
  caller.kind === "service" || caller.tenantId === providerTenant
    ? Effect.void
    : Effect.fail(new Forbidden({ detail: "Only service tokens and the provider's admins may do this." }))
)

/** Runs one transaction in the named tenant, or in the caller's scope when none is named. */
export const inTenant = <A, E, R>(
  tenant: number | undefined,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E | Forbidden | SqlError.SqlError, R | Caller | SqlClient.SqlClient> =>
  Effect.andThen(
    requireTenantAccess(tenant),
    tenant === undefined ? inScope(effect) : tenantTransaction(tenant, effect)
  )

/**
 * Runs an effect of the caller's transaction in another tenant. A service token's transaction sees every tenant anyway.
 */
export const inOtherTenant = <A, E, R>(
  tenant: number,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E | SqlError.SqlError, R | Caller | SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const caller = yield* Caller
    if (caller.kind === "service" || caller.tenantId === tenant) return yield* effect
    const sql = yield* SqlClient.SqlClient
    yield* sql`select set_config('app.tenant', ${String(tenant)}, true)`
    // Only after success: a failure ends the transaction, which resets the setting.
    return yield* Effect.tap(effect, sql`select set_config('app.tenant', ${String(caller.tenantId)}, true)`)
  })
