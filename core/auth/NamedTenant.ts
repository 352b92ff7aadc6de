/**
 * Tenant that a request names. Service tokens and the provider's administrators may name any, other users their own
 * one only.
 */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { Forbidden } from "../http/Problem.ts"
import { tenantTransaction } from "../sql/Sql.ts"
import { Caller, type CallerInfo, providerTenant, tenantOf } from "./Caller.ts"

/** Whether the caller sees every tenant: service tokens, and the provider's own admins. */
export const seesAllTenants = (caller: CallerInfo): boolean =>
  caller.kind === "service" || (caller.tenantId === providerTenant && caller.permissions.has("tenants.manage"))

/** Refuses a tenant that the caller may not name, whether or not the tenant exists. */
export const requireTenantAccess = (tenant: number | undefined): Effect.Effect<void, Forbidden, Caller> =>
  Effect.flatMap(Caller, (caller) =>
    tenant === undefined || seesAllTenants(caller) || (caller.kind === "user" && caller.tenantId === tenant)
      ? Effect.void
      : Effect.fail(new Forbidden({ detail: "Only service tokens and the provider's admins may name another tenant." }))
  )

/** The named tenant, else the caller's own, which for a service token is the provider's. */
export const tenantFor = (named: number | undefined): Effect.Effect<number, Forbidden, Caller> =>
  Effect.andThen(
    requireTenantAccess(named),
    Effect.map(Caller, (caller) => named ?? tenantOf(caller))
  )

/** Runs `effect` in one short transaction that sees the rows of that tenant only. */
export const inTenantOf = <A, E, R>(
  named: number | undefined,
  effect: (tenant: number) => Effect.Effect<A, E, R>
): Effect.Effect<A, E | Forbidden | SqlError.SqlError, R | Caller | SqlClient.SqlClient> =>
  Effect.flatMap(tenantFor(named), (tenant) => tenantTransaction(tenant, effect(tenant)))
