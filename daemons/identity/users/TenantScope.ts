/**
 * Which tenant a request of the management is about. A caller's own; service tokens, and the provider's own admins, may
 * name another. Whoever names a tenant works inside it, under row-level security, whoever they are.
 */
import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { Caller, inScope, providerTenant } from "#core/auth/Caller.ts"
import { Forbidden } from "#core/http/Problem.ts"
import { tenantTransaction } from "#core/sql/Sql.ts"
import { seesAll } from "./AuditActor.ts"

/** Refuses whoever names a tenant that is not theirs, whether or not there is one of that number. */
export const mayName = (tenant: number | undefined): Effect.Effect<void, Forbidden, Caller> =>
  Effect.flatMap(Caller, (caller) =>
    tenant === undefined || seesAll(caller) || (caller.kind === "user" && caller.tenantId === tenant)
      ? Effect.void
      : Effect.fail(new Forbidden({ detail: "Only service tokens and the provider's own admins name another tenant." }))
  )

/** Refuses whoever does not stand for the provider: what concerns every tenant is no single tenant's business. */
export const providerOnly: Effect.Effect<void, Forbidden, Caller> = Effect.flatMap(Caller, (caller) =>
  caller.kind === "service" || caller.tenantId === providerTenant
    ? Effect.void
    : Effect.fail(new Forbidden({ detail: "This is for service tokens and the provider's own admins." }))
)

/** One short transaction inside the named tenant, else of what the caller may see. */
export const inTenant = <A, E, R>(
  tenant: number | undefined,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E | Forbidden | SqlError.SqlError, R | Caller | SqlClient.SqlClient> =>
  Effect.andThen(mayName(tenant), tenant === undefined ? inScope(effect) : tenantTransaction(tenant, effect))

/**
 * Inside the caller's transaction, for a while, in the tenant they may name. A service token's sees every tenant as it
 * is.
 */
export const steppedInto = <A, E, R>(
  tenant: number,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E | SqlError.SqlError, R | Caller | SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const caller = yield* Caller
    if (caller.kind === "service" || caller.tenantId === tenant) return yield* effect
    const sql = yield* SqlClient.SqlClient
    yield* sql`select set_config('app.tenant', ${String(tenant)}, true)`
    // A failure ends the transaction, and the setting with it.
    return yield* Effect.tap(effect, sql`select set_config('app.tenant', ${String(caller.tenantId)}, true)`)
  })
