/**
 * User and tenant events for other daemons. Each event carries the whole state after the change, so a reader keeps the
 * highest `version`, also of a deleted user. The newest event of each is kept (StateEvents.ts).
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
  /** Name of the IANA database; null or absent: the account has none. Events of former versions lack it. */
  time_zone: Schema.optionalKey(Schema.NullOr(Schema.String)),
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
