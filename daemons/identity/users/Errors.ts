/** Problems of user and tenant management, besides invalid input and missing permissions. */
import { Schema } from "effect"
import { HttpApiError } from "effect/http-api"
import { codeField, declaration } from "#core/http/Problem.ts"

/**
 * 409: an account of any tenant has this address. Addresses are unique across tenants, because users name no tenant
 * when signing in.
 */
export class EmailTaken extends HttpApiError.Problem<EmailTaken>()(
  "EmailTaken",
  declaration("email_taken", 409, "An account already has this address"),
  codeField("email_taken")
) {}

/** 403: the role has a permission that the caller lacks; `permission` names one. */
export class RoleExceeds extends HttpApiError.Problem<RoleExceeds>()(
  "RoleExceeds",
  declaration("role_exceeds_own", 403, "The role has permissions that you lack"),
  { ...codeField("role_exceeds_own"), permission: Schema.String }
) {}

/** 409: the action is not permitted on one's own account. */
export class OwnAccount extends HttpApiError.Problem<OwnAccount>()(
  "OwnAccount",
  declaration("own_account", 409, "Not permitted for your own account"),
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
  declaration("tenant_name_taken", 409, "A tenant already has this name"),
  codeField("tenant_name_taken")
) {}

/** 409: the action is not permitted on the provider's tenant. */
export class ProviderTenant extends HttpApiError.Problem<ProviderTenant>()(
  "ProviderTenant",
  declaration("provider_tenant", 409, "Not permitted for the provider's tenant"),
  codeField("provider_tenant")
) {}

/** 403: the scope permits something that the caller may not do; `scope` names it. */
export class ScopeExceeds extends HttpApiError.Problem<ScopeExceeds>()(
  "ScopeExceeds",
  declaration("scope_exceeds_own", 403, "The scope has permissions that you lack"),
  { ...codeField("scope_exceeds_own"), scope: Schema.String }
) {}
