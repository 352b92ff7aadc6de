/**
 * Who may receive each event. The database enforces the tenant; this table decides within it.
 * - A permission: addressed to a tenant. Needs the permission that the endpoints with the same data require.
 * - `user`: addressed to one user, who needs no permission.
 * - `daemons`: read by daemons and platform tokens only.
 * An event that is addressed to one user reaches only that user, whatever this table says.
 */
import { all, type Permission } from "../auth/Permissions.ts"

export type EventAudience = Permission | "user" | "daemons"

export const eventAudiences: Readonly<Record<string, EventAudience>> = {
  "alarm.acknowledged": "workflows.manage",
  "alarm.finished": "workflows.manage",
  "alarm.progress": "workflows.manage",
  "backup.completed": "backups.read",
  "backup.failed": "backups.read",
  "backup.progress": "backups.read",
  "bank.batch.progress": "ebics.view",
  "bank.fetch.failed": "ebics.view",
  "bank.statement.imported": "ebics.view",
  "bank.transaction.matched": "ebics.view",
  // Numbers and names of customers.
  "call.answered": "customers.read",
  "call.ended": "customers.read",
  "call.incoming": "customers.read",
  "customer.changed": "customers.read",
  "customer.created": "customers.read",
  "customer.deleted": "customers.read",
  "dns.mail_records.checked": "dns.read",
  "dns.plan.applied": "dns.read",
  "dns.plan.failed": "dns.read",
  "dns.plan.waiting": "dns.read",
  "domain.changed": "domains.read",
  "domain.created": "domains.read",
  "domain.deleted": "domains.read",
  "domain.failed": "domains.read",
  "domain.verified": "domains.read",
  "file.uploaded": "user",
  "identity.messenger.changed": "user",
  "identity.security.changed": "user",
  "identity.tenant.changed": "tenants.read",
  "identity.tenant.created": "tenants.read",
  "identity.user.changed": "users.read",
  "identity.user.created": "users.read",
  "identity.user.deleted": "users.read",
  "mail.account.changed": "mail.read",
  "mail.account.created": "mail.read",
  "mail.account.deleted": "mail.read",
  "mail.account.suspended": "mail.read",
  "mail.account.unsuspended": "mail.read",
  "mail.domain.changed": "mail.read",
  "mail.domain.created": "mail.read",
  "mail.domain.deleted": "mail.read",
  "localization.rebuild.progress": "settings.manage",
  "mail.folder_update": "user",
  "mail.new_message": "user",
  "monitoring.alert.closed": "system.read",
  "monitoring.alert.opened": "system.read",
  "name.proven": "domains.read",
  "notification.created": "user",
  "payment.received": "ebics.view",
  // A device belongs to its user; the client's address is in the event.
  "provisioning.completed": "user",
  "provisioning.device.revoked": "user",
  "provisioning.token.changed": "users.read",
  "security.ban.added": "security.read",
  "security.ban.lifted": "security.read",
  "security.exemption.added": "security.read",
  "security.exemption.ended": "security.read",
  "sip.extension.changed": "sip.read",
  "sip.extension.created": "sip.read",
  "sip.extension.deleted": "sip.read",
  "status.component.changed": "system.read",
  "status.incident.proposed": "system.read",
  "status.incident.published": "system.read",
  "status.incident.resolved": "system.read",
  "status.incident.updated": "system.read",
  "status.maintenance.changed": "system.read",
  // The code identifies the customer to support.
  "support.session.created": "customers.read",
  "wakeword.detected": "wakeword.read",
  "wakeword.model.activated": "wakeword.read",
  "wakeword.training.progress": "wakeword.read"
}

/** First words of the listed types: an unlisted type of these daemons is withheld, as it may hold the same data. */
const families = new Set(Object.keys(eventAudiences).map((type) => type.split(".", 1)[0]!))

const permissions: ReadonlySet<string> = new Set(all)

const isPermission = (audience: EventAudience): audience is Permission => permissions.has(audience)

/** Whether a user with these permissions may receive an event that is addressed to the user's whole tenant. */
export const mayReceive = (type: string, held: ReadonlySet<Permission>): boolean => {
  const audience = Object.hasOwn(eventAudiences, type) ? eventAudiences[type] : undefined
  if (audience === undefined) return !families.has(type.split(".", 1)[0]!)
  return isPermission(audience) && held.has(audience)
}
