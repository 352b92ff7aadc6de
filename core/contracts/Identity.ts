/**
 * Users and tenants as other daemons need to know them. Each event carries the whole state after the change, so that a
 * reader keeps the newest by `version`; also of somebody deleted, since what is told again may come behind that.
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
  /** Language of what is sent to them, BCP 47: `de`, `en`. */
  locale: Schema.String,
  state: Schema.Literals(["active", "suspended", "deleted"]),
  version: Schema.Int
})

export const UserCreated = define("identity.user.created", User)
export const UserChanged = define("identity.user.changed", User)
export const UserDeleted = define("identity.user.deleted", User)
/**
 * Nothing happened: the state that is, said again for readers who came after the events of it had gone. Its version is
 * known to the others.
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
/** As `UserTold`. */
export const TenantTold = define("identity.tenant.told", Tenant)

/**
 * Something of an account was changed that decides who gets in; for its owner alone, who should know if it was not
 * them.
 */
export const SecurityChanged = define(
  "identity.security.changed",
  Schema.Struct({
    user_id: Schema.Int,
    tenant_id: Schema.Int,
    /** `sessions_ended`: all of them, by somebody else. */
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
