/**
 * A line in the audit log for what was done at the edge, and a word to those who keep pictures: both with the
 * surrounding transaction.
 */
import { Effect } from "effect"
import * as Audit from "#core/log/Audit.ts"
import { providerTenant } from "#core/auth/Caller.ts"
import { Wake } from "#core/events/Wake.ts"
import { topic } from "./EdgeProjection.ts"

/** Who does something. */
export interface Actor {
  /** `edge:12` for user 12 of the edge, `operator` for the command line. */
  readonly name: string
  /** The client's address, where there is one. */
  readonly ip?: string | undefined
}

/** A user of the edge, acting. */
export const byUser = (userId: number, ip: string): Actor => ({ name: `edge:${userId}`, ip })

/** `action` after `edge_`; `entity` and `id`: what it was done to. The edge is the provider's own. */
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
