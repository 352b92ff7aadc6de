/**
 * Writes a change of edge-auth to the audit log and announces it to the projections. Both take effect when the
 * surrounding transaction commits.
 */
import { Effect } from "effect"
import * as Audit from "#core/log/Audit.ts"
import { providerTenant } from "#core/auth/Caller.ts"
import { Wake } from "#core/events/Wake.ts"
import { topic } from "./EdgeProjection.ts"

/** Author of a change. */
export interface Actor {
  /** `edge:12` for user 12 of edge-auth, `operator` for the command line. */
  readonly name: string
  /** Client address; absent for the command line. */
  readonly ip?: string | undefined
}

/** Actor for a user of edge-auth. */
export const byUser = (userId: number, ip: string): Actor => ({ name: `edge:${userId}`, ip })

/**
 * `action`: name of the action without the prefix `edge_`. `entity` and `id`: the changed object. Entries belong to the
 * provider's tenant, because edge-auth has no tenants.
 */
export const note = (
  actor: Actor,
  action: string,
  entity: "user" | "session" | "route" | "users",
  id: number | string,
  detail: Audit.Entry["detail"] = {}
) =>
  Effect.andThen(
    Audit.write({
      tenantId: providerTenant,
      actor: actor.name,
      action: `edge_${action}`,
      entity: `edge_${entity}`,
      id: String(id),
      address: actor.ip,
      detail
    }),
    Effect.flatMap(Wake, (wake) => wake.announce(topic))
  )
