/** What the management of users and tenants refuses, beyond wrong input and missing permissions. */
import { Schema } from "effect"
import { HttpApiError } from "effect/http-api"
import { codeField, declaration } from "#core/http/Problem.ts"

/**
 * 409: an account has this address, in whichever tenant; sign-in names none, so addresses are unique over all of them.
 */
export class EmailTaken extends HttpApiError.Problem<EmailTaken>()(
  "EmailTaken",
  declaration("email_taken", 409, "This address belongs to an account"),
  codeField("email_taken")
) {}

/** 403: the role holds a permission that the caller does not; `permission` names one. */
export class RoleExceeds extends HttpApiError.Problem<RoleExceeds>()(
  "RoleExceeds",
  declaration("role_exceeds_own", 403, "This role may do more than you"),
  { ...codeField("role_exceeds_own"), permission: Schema.String }
) {}

/** 409: nobody does this to their own account. */
export class OwnAccount extends HttpApiError.Problem<OwnAccount>()(
  "OwnAccount",
  declaration("own_account", 409, "This is your own account"),
  codeField("own_account")
) {}

/** 409: without this account nobody could manage the installation. */
export class LastAdmin extends HttpApiError.Problem<LastAdmin>()(
  "LastAdmin",
  declaration("last_admin", 409, "This is the provider's last active admin"),
  codeField("last_admin")
) {}

/** 409: another tenant has this name. */
export class TenantNameTaken extends HttpApiError.Problem<TenantNameTaken>()(
  "TenantNameTaken",
  declaration("tenant_name_taken", 409, "A tenant has this name"),
  codeField("tenant_name_taken")
) {}

/** 409: what is asked for is never done to the provider's own tenant. */
export class ProviderTenant extends HttpApiError.Problem<ProviderTenant>()(
  "ProviderTenant",
  declaration("provider_tenant", 409, "This is the provider's own tenant"),
  codeField("provider_tenant")
) {}

/** 403: the scope allows something that the caller may not do; `scope` names it. */
export class ScopeExceeds extends HttpApiError.Problem<ScopeExceeds>()(
  "ScopeExceeds",
  declaration("scope_exceeds_own", 403, "This scope may do more than you"),
  { ...codeField("scope_exceeds_own"), scope: Schema.String }
) {}
