/**
 * The five roles. A role is a name for a set of permissions inside its own tenant; endpoints require permissions, never
 * roles.
 */
import { Schema } from "effect"
import { all, type Permission } from "./Permissions.ts"

export const roles = ["admin", "reseller", "customer", "user", "support"] as const
export type Role = (typeof roles)[number]
export const Role = Schema.Literals(roles)

/** Permissions of everybody who signs in. */
const own: ReadonlyArray<Permission> = [
  "webmail.use",
  "provisioning.client_tokens.create",
  "provisioning.client_tokens.read",
  "wakeword.read",
  "ocr.read",
  "ocr.process",
  "spaces.use"
]

/** Permissions of a customer. */
const customer: ReadonlyArray<Permission> = [
  ...own,
  "users.read",
  "audit.read",
  "workflows.manage",
  "mail.read",
  "mail.manage",
  "domains.read",
  "domains.manage",
  "dns.read",
  "dns.manage",
  "hosting.read",
  "hosting.manage",
  "sip.read",
  "sip.manage",
  "customers.read",
  "customers.manage",
  "provisioning.read",
  "ebics.view",
  "ebics.fetch",
  "ebics.reconcile"
]

/**
 * Additional permissions of a reseller, for managing the customers of the tenant: people, secrets, and paid services.
 */
const reseller: ReadonlyArray<Permission> = [
  ...customer,
  "users.manage",
  "settings.manage",
  "notifications.manage",
  "sip.credentials.read",
  "ebics.manage"
]

/** Permissions of support, which may only read. */
const support: ReadonlyArray<Permission> = [
  "users.read",
  "tenants.read",
  "audit.read",
  "mail.read",
  "domains.read",
  "dns.read",
  "hosting.read",
  "sip.read",
  "customers.read",
  "provisioning.read",
  "wakeword.read",
  "system.read",
  "security.read",
  "backups.read"
]

/** Permissions of each role. Source of the OCR permissions: interface document 3 §4.6. */
export const permissionsOf: Readonly<Record<Role, ReadonlySet<Permission>>> = {
  admin: new Set(all),
  reseller: new Set(reseller),
  customer: new Set(customer),
  user: new Set(own),
  support: new Set(support)
}
