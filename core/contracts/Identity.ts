/**
 * Users and tenants as other daemons need to know them. Each event carries the whole state after the change, so that a
 * reader keeps the newest by `version`.
 */
import { Schema } from "effect"
import { Role } from "../auth/Roles.ts"
import { define } from "../Events.ts"

/** One user after a change. */
export const User = Schema.Struct({
  user_id: Schema.Int,
  tenant_id: Schema.Int,
  email: Schema.String,
  name: Schema.String,
  role: Role,
  /** Language of what is sent to them, BCP 47: `de`, `en`. */
  locale: Schema.String,
  state: Schema.Literals(["active", "suspended", "deleted"]),
  version: Schema.Int
})

export const UserCreated = define("identity.user.created", User)
export const UserChanged = define("identity.user.changed", User)
export const UserDeleted = define("identity.user.deleted", User)

/** One tenant after a change. */
export const Tenant = Schema.Struct({
  tenant_id: Schema.Int,
  name: Schema.String,
  state: Schema.Literals(["active", "suspended"]),
  version: Schema.Int
})

export const TenantCreated = define("identity.tenant.created", Tenant)
export const TenantChanged = define("identity.tenant.changed", Tenant)
