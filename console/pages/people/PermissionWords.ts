/** Permissions in words, grouped by what they are about. */
import { words } from "../../lib/Language.ts"
import type { Permission } from "../../lib/Me.ts"

const t = words({
  en: {
    users_read: "see users",
    users_manage: "manage users",
    tenants_read: "see tenants",
    tenants_manage: "manage tenants",
    service_tokens_manage: "manage service tokens",
    audit_read: "read the audit log",
    settings_manage: "manage settings",
    workflows_manage: "send and manage alarms",
    alarms_urgent: "send the most urgent alarms",
    calls_any: "call any number",
    notifications_manage: "send notifications",
    mail_read: "see mail domains and mailboxes",
    mail_manage: "manage mail domains and mailboxes",
    webmail_use: "use webmail",
    domains_read: "see domains",
    domains_manage: "manage domains",
    dns_read: "see DNS records",
    dns_manage: "manage DNS records",
    hosting_read: "see hosting",
    hosting_manage: "manage hosting",
    sip_read: "see telephony",
    sip_manage: "manage telephony",
    sip_credentials_read: "see telephone passwords",
    sip_credentials_write: "set telephone passwords",
    customers_read: "see customers",
    customers_manage: "manage customers",
    provisioning_client_tokens_create: "set up own devices",
    provisioning_client_tokens_read: "see own devices",
    provisioning_read: "see device services",
    provisioning_manage: "manage device services",
    ebics_view: "see the bank",
    ebics_manage: "manage bank accounts",
    ebics_fetch: "fetch bank statements",
    ebics_reconcile: "match payments with invoices",
    wakeword_read: "see the wake word",
    wakeword_manage: "train the wake word",
    ocr_read: "see recognised documents",
    ocr_process: "have documents recognised",
    backups_read: "see backups",
    backups_manage: "manage backups",
    system_read: "see the machines",
    system_manage: "control the machines",
    security_read: "see bans",
    security_manage: "manage bans",
    coder_use: "use the coder",
    spaces_use: "use spaces"
  },
  de: {
    users_read: "Benutzer sehen",
    users_manage: "Benutzer verwalten",
    tenants_read: "Mandanten sehen",
    tenants_manage: "Mandanten verwalten",
    service_tokens_manage: "Dienst-Tokens verwalten",
    audit_read: "Protokoll lesen",
    settings_manage: "Einstellungen verwalten",
    workflows_manage: "Alarme senden und verwalten",
    alarms_urgent: "dringendste Alarme senden",
    calls_any: "beliebige Nummern anrufen",
    notifications_manage: "Mitteilungen senden",
    mail_read: "Mail-Domains und Postfächer sehen",
    mail_manage: "Mail-Domains und Postfächer verwalten",
    webmail_use: "Webmail benutzen",
    domains_read: "Domains sehen",
    domains_manage: "Domains verwalten",
    dns_read: "DNS-Einträge sehen",
    dns_manage: "DNS-Einträge verwalten",
    hosting_read: "Hosting sehen",
    hosting_manage: "Hosting verwalten",
    sip_read: "Telefonie sehen",
    sip_manage: "Telefonie verwalten",
    sip_credentials_read: "Telefonpasswörter sehen",
    sip_credentials_write: "Telefonpasswörter setzen",
    customers_read: "Kunden sehen",
    customers_manage: "Kunden verwalten",
    provisioning_client_tokens_create: "eigene Geräte einrichten",
    provisioning_client_tokens_read: "eigene Geräte sehen",
    provisioning_read: "Gerätedienste sehen",
    provisioning_manage: "Gerätedienste verwalten",
    ebics_view: "Bank sehen",
    ebics_manage: "Bankkonten verwalten",
    ebics_fetch: "Kontoauszüge abrufen",
    ebics_reconcile: "Zahlungen den Rechnungen zuordnen",
    wakeword_read: "Aktivierungswort sehen",
    wakeword_manage: "Aktivierungswort trainieren",
    ocr_read: "erkannte Dokumente sehen",
    ocr_process: "Dokumente erkennen lassen",
    backups_read: "Backups sehen",
    backups_manage: "Backups verwalten",
    system_read: "Maschinen sehen",
    system_manage: "Maschinen steuern",
    security_read: "Sperren sehen",
    security_manage: "Sperren verwalten",
    coder_use: "Coder benutzen",
    spaces_use: "Spaces benutzen"
  }
})

/** Name of a permission as a key of texts, which has no dots. */
type Key<Name extends string> = Name extends `${infer Start}.${infer Rest}` ? `${Start}_${Key<Rest>}` : Name

export const permissionTitle = (permission: Permission): string =>
  t()[permission.replaceAll(".", "_") as Key<Permission>]

const groups = words({
  en: {
    people: "People and system",
    alarms: "Alarms and notifications",
    mail: "Mail",
    domains: "Domains",
    telephony: "Telephony",
    customers: "Customers and bank",
    devices: "Devices and services",
    machines: "Machines"
  },
  de: {
    people: "Menschen und System",
    alarms: "Alarme und Mitteilungen",
    mail: "Mail",
    domains: "Domains",
    telephony: "Telefonie",
    customers: "Kunden und Bank",
    devices: "Geräte und Dienste",
    machines: "Maschinen"
  }
})

type GroupName = keyof ReturnType<typeof groups>

/** The group of a permission, by the part of its name before the dot. Names that are not listed: `devices`. */
const groupOf: Readonly<Record<string, GroupName>> = {
  users: "people",
  tenants: "people",
  service_tokens: "people",
  audit: "people",
  settings: "people",
  workflows: "alarms",
  alarms: "alarms",
  notifications: "alarms",
  mail: "mail",
  webmail: "mail",
  domains: "domains",
  dns: "domains",
  hosting: "domains",
  sip: "telephony",
  calls: "telephony",
  customers: "customers",
  ebics: "customers",
  backups: "machines",
  system: "machines",
  security: "machines"
}

/** The permissions in groups with their titles. Groups without any are left out. */
export const grouped = (
  permissions: ReadonlyArray<Permission>
): ReadonlyArray<readonly [name: GroupName, title: string, ReadonlyArray<Permission>]> => {
  const names = Object.keys(groups()) as ReadonlyArray<GroupName>
  return names
    .map(
      (name) =>
        [
          name,
          groups()[name],
          permissions.filter((one) => (groupOf[one.split(".", 1)[0]!] ?? "devices") === name)
        ] as const
    )
    .filter(([, , own]) => own.length > 0)
}
