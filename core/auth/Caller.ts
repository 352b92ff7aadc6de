/**
 * Who is calling. A service token stands for the platform and sees every tenant; a user sees one tenant and holds
 * permissions. Whatever a request does to the database it does through `inScope`, so that Postgres keeps tenants apart.
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
      /** `platform`, or what the token is limited to. */
      readonly scopes: ReadonlySet<string>
    }
  | {
      readonly kind: "user"
      readonly userId: number
      readonly tenantId: number
      readonly role: Role
      /** The session the token was issued in. */
      readonly session: string
      readonly permissions: ReadonlySet<Permission>
    }

export class Caller extends Context.Service<Caller, CallerInfo>()("signalbox/core/auth/Caller") {}

/** The tenant that owns what a platform caller makes when nothing says otherwise: the provider itself. */
export const providerTenant = 1

/** The tenant that owns what this caller makes. */
export const tenantOf = (caller: CallerInfo): number => (caller.kind === "user" ? caller.tenantId : providerTenant)

/** A stable name for logs and idempotency keys: `service:3`, `user:12`. */
export const nameOf = (caller: CallerInfo): string =>
  caller.kind === "service" ? `service:${caller.tokenId}` : `user:${caller.userId}`

/** Runs `effect` in one short transaction that sees what the caller may see. */
export const inScope = <A, E, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E | SqlError.SqlError, R | Caller | SqlClient.SqlClient> =>
  Effect.flatMap(Caller, (caller) =>
    caller.kind === "service" ? transaction(effect) : tenantTransaction(caller.tenantId, effect)
  )
