/**
 * Named permissions. An endpoint requires one, and roles grant them. A service token has all of them, or those it was
 * created with.
 */
import { Context, Schema } from "effect"

/**
 * All permissions. `alarms.urgent`: severities ALERT and CRITICAL. `calls.any`: calls to numbers outside the tenant's
 * allowed prefixes. Names from the interface documents are kept exactly.
 */
export const all = [
  "users.read",
  "users.manage",
  "tenants.read",
  "tenants.manage",
  "service_tokens.manage",
  "audit.read",
  "settings.manage",
  "workflows.manage",
  "alarms.urgent",
  "calls.any",
  "notifications.manage",
  "mail.read",
  "mail.manage",
  "webmail.use",
  "domains.read",
  "domains.manage",
  "dns.read",
  "dns.manage",
  "hosting.read",
  "hosting.manage",
  "sip.read",
  "sip.manage",
  "sip.credentials.read",
  "sip.credentials.write",
  "customers.read",
  "customers.manage",
  "provisioning.client_tokens.create",
  "provisioning.client_tokens.read",
  "provisioning.read",
  "provisioning.manage",
  "ebics.view",
  "ebics.manage",
  "ebics.fetch",
  "ebics.reconcile",
  "wakeword.read",
  "wakeword.manage",
  "ocr.read",
  "ocr.process",
  "backups.read",
  "backups.manage",
  "system.read",
  "system.manage",
  "security.read",
  "security.manage",
  "coder.use",
  "spaces.use"
] as const

export type Permission = (typeof all)[number]
export const Permission = Schema.Literals(all)

/** Permission that a user needs. Annotate the endpoint or its group: `.annotate(Requires, "workflows.manage")`. */
export const Requires = Context.Reference<Permission | undefined>("signalbox/core/auth/Requires", {
  defaultValue: () => undefined
})

/**
 * An endpoint for people only: a service token is answered 403. Annotate the endpoint: `.annotate(UsersOnly, true)`.
 */
export const UsersOnly = Context.Reference<boolean>("signalbox/core/auth/UsersOnly", { defaultValue: () => false })

/**
 * An endpoint about the machines of the provider: a user of another tenant is answered 403, whatever the user's
 * permissions. Service tokens belong to the provider. Annotate the endpoint or its group:
 * `.annotate(ProviderOnly, true)`.
 */
export const ProviderOnly = Context.Reference<boolean>("signalbox/core/auth/ProviderOnly", {
  defaultValue: () => false
})
