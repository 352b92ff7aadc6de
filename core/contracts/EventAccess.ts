/**
 * Permissions for receiving events that are addressed to a whole tenant. An event needs the permission that its
 * endpoints require. An event for a single user needs none. The database enforces the tenant.
 */
import type { Permission } from "../auth/Permissions.ts"
import { matches } from "../events/Events.ts"

const needed: ReadonlyArray<readonly [pattern: string, permission: Permission]> = [
  ["identity.user.*", "users.read"],
  ["identity.tenant.*", "tenants.read"],
  ["mail.account.*", "mail.read"],
  ["mail.domain.*", "mail.read"],
  ["dns.*", "dns.read"],
  ["domain.*", "domains.read"],
  ["customer.*", "customers.read"],
  ["security.*", "security.read"],
  ["status.*", "system.read"],
  ["alarm.*", "workflows.manage"]
]

/** Permission needed for an event type; undefined when every user of the tenant may receive it. */
export const permissionFor = (type: string): Permission | undefined =>
  needed.find(([pattern]) => matches(pattern, type))?.[1]
