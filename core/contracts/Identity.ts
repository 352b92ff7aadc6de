/**
 * User and tenant events for other daemons. Each event carries the whole state after the change, so a reader keeps the
 * highest `version`. A reader keeps the version of a deleted user too, because a directory replay may arrive after the
 * deletion.
 */
import { Schema } from "effect"
import { Role } from "../auth/Roles.ts"
import { define } from "../events/Events.ts"

/** One user after a change. */
export const User = Schema.Struct({
  user_id: Schema.Int,
  tenant_id: Schema.Int,
  email: Schema.String,
  name: Schema.String,
  role: Role,
  /** Language of messages to the user, BCP 47: `de`, `en`. */
  locale: Schema.String,
  state: Schema.Literals(["active", "suspended", "deleted"]),
  version: Schema.Int
})

export const UserCreated = define("identity.user.created", User)
export const UserChanged = define("identity.user.changed", User)
export const UserDeleted = define("identity.user.deleted", User)
/**
 * Directory replay: repeats the current state for readers whose events were pruned before they read them. Nothing
 * changed, and the version is not new.
 */
export const UserTold = define("identity.user.told", User)

/** One tenant after a change. */
export const Tenant = Schema.Struct({
  tenant_id: Schema.Int,
  name: Schema.String,
  state: Schema.Literals(["active", "suspended"]),
  version: Schema.Int
})

export const TenantCreated = define("identity.tenant.created", Tenant)
export const TenantChanged = define("identity.tenant.changed", Tenant)
/** Directory replay of a tenant, like `UserTold`. */
export const TenantTold = define("identity.tenant.told", Tenant)

/**
 * A sign-in setting of an account changed. Only its owner receives the event, to notice changes made by somebody else.
 */
export const SecurityChanged = define(
  "identity.security.changed",
  Schema.Struct({
    user_id: Schema.Int,
    tenant_id: Schema.Int,
    /** `sessions_ended`: somebody other than the user ended all sessions of the user. */
    change: Schema.Literals([
      "password_changed",
      "second_factor_added",
      "second_factor_removed",
      "recovery_codes_renewed",
      "provider_connected",
      "sessions_ended"
    ]),
    /** ISO 8601. */
    at: Schema.String
  })
)
