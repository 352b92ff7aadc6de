/**
 * Audit actor of a change to users and tenants: its name in the audit log, and its permissions. Commands and endpoints
 * apply the same rules through this type.
 */
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import * as Audit from "#core/log/Audit.ts"
import { Caller, type CallerInfo, holds, nameOf } from "#core/auth/Caller.ts"
import { all, type Permission } from "#core/auth/Permissions.ts"
import { permissionsOf, type Role } from "#core/auth/Roles.ts"
import { client } from "#core/http/Client.ts"

/** A signed-in user, as opposed to a service token. */
export type UserCaller = Extract<CallerInfo, { readonly kind: "user" }>

export interface AuditActor {
  /** `user:12`, `service:3`, `operator`. */
  readonly name: string
  /** Account of the actor; undefined for service tokens and the operator. */
  readonly userId: number | undefined
  /** Client address; undefined for commands. */
  readonly address: string | undefined
  readonly holds: (permission: Permission) => boolean
}

/** Operator of this machine, who has every permission. */
export const operator: AuditActor = { name: Audit.operator, userId: undefined, address: undefined, holds: () => true }

/** Audit actor of a caller. A service token has its scopes as permissions; scope `platform` has all permissions. */
export const actorFrom = (caller: CallerInfo, address: string | undefined): AuditActor => ({
  name: nameOf(caller),
  userId: caller.kind === "user" ? caller.userId : undefined,
  address,
  holds: (permission) => holds(caller, permission)
})

/** Audit actor of this request. */
export const actor: Effect.Effect<AuditActor, never, Caller | HttpServerRequest.HttpServerRequest> = Effect.gen(
  function* () {
    const { address } = yield* client
    return actorFrom(yield* Caller, address)
  }
)

/**
 * First permission of `role` that `actor` lacks; undefined when the actor may grant the role and manage its holders.
 */
export const missingPermission = (actor: AuditActor, role: Role): Permission | undefined =>
  all.find((permission) => permissionsOf[role].has(permission) && !actor.holds(permission))
