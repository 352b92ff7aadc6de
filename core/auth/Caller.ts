/**
 * The caller of a request. A service token acts for the platform and sees every tenant; a user sees one tenant and
 * holds permissions. Requests use the database only through `inScope`, so Postgres separates the tenants.
 */
import { Context, Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { tenantTransaction, transaction } from "../sql/Sql.ts"
import type { Permission } from "./Permissions.ts"
import type { Role } from "./Roles.ts"

export type CallerInfo =
  | {
      readonly kind: "service"
      readonly tokenId: number
      readonly name: string
      /** `platform`, or the scopes the token is limited to. */
      readonly scopes: ReadonlySet<string>
    }
  | {
      readonly kind: "user"
      readonly userId: number
      readonly tenantId: number
      readonly role: Role
      /** Session in which the token was issued. */
      readonly session: string
      readonly permissions: ReadonlySet<Permission>
    }

export class Caller extends Context.Service<Caller, CallerInfo>()("signalbox/core/auth/Caller") {}

/** The provider's tenant. It owns what platform callers create without naming a tenant. */
export const providerTenant = 1

/** Tenant that owns what this caller creates. */
export const tenantOf = (caller: CallerInfo): number => (caller.kind === "user" ? caller.tenantId : providerTenant)

/** Caller of commands on this machine. Its id belongs to no service token. */
export const operatorCaller: CallerInfo = { kind: "service", tokenId: 0, name: "operator", scopes: new Set() }

/** Stable name for logs and idempotency keys: `service:3`, `user:12`, `operator`. */
export const nameOf = (caller: CallerInfo): string =>
  caller.kind === "user" ? `user:${caller.userId}` : caller.tokenId <= 0 ? caller.name : `service:${caller.tokenId}`

/** Whether the caller has the permission. A service token has its scopes as permissions; `platform` has all of them. */
export const holds = (caller: CallerInfo, permission: Permission): boolean =>
  caller.kind === "user"
    ? caller.permissions.has(permission)
    : caller.scopes.has("platform") || caller.scopes.has(permission)

/** Runs `effect` in one short transaction that sees the caller's rows. */
export const inScope = <A, E, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E | SqlError.SqlError, R | Caller | SqlClient.SqlClient> =>
  Effect.flatMap(Caller, (caller) =>
    caller.kind === "service" ? transaction(effect) : tenantTransaction(caller.tenantId, effect)
  )
