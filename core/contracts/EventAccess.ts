/**
 * Which permission it takes to follow events that are for a whole tenant, beyond being in it: those that carry the
 * state of things which their endpoints show to some only. An event for one user needs none. Whose tenant it is, the
 * database keeps.
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

/** Undefined: everybody in the tenant may. */
export const permissionFor = (type: string): Permission | undefined =>
  needed.find(([pattern]) => matches(pattern, type))?.[1]
