/**
 * The pages of the console. Each has a folder under `pages/` and is loaded when it is first opened. Pages without the
 * user's permission are hidden; their endpoints check the permission themselves.
 */
import { words } from "../lib/Language.ts"
import { bankPages } from "./BankPages.ts"
import { operationsPages } from "./OperationsPages.ts"
import type { PageEntry } from "./PageEntry.ts"

const t = words({
  en: {
    overview: "Overview",
    alarms: "Alarms",
    workflows: "Workflows",
    daemons: "Daemons",
    operations: "Operations",
    events: "Events",
    mail: "Mail",
    mailboxes: "Mailboxes",
    contacts: "Contacts",
    signatures: "Signatures",
    phones: "Phones",
    numbers: "Numbers",
    route: "Call routes",
    customers: "Customers",
    calls: "Calls",
    bank: "Bank",
    phone: "Softphone",
    devices: "Devices",
    domains: "Domains",
    dnsAccounts: "DNS accounts",
    mailDomains: "Mail domains",
    wakeWord: "Wake word",
    users: "Users",
    tenants: "Tenants",
    tokens: "Service tokens",
    audit: "Audit log",
    languages: "Languages",
    support: "Support",
    notifications: "Notifications",
    settings: "Settings"
  },
  de: {
    overview: "Überblick",
    alarms: "Alarme",
    workflows: "Workflows",
    daemons: "Daemons",
    operations: "Betrieb",
    events: "Ereignisse",
    mail: "Mail",
    mailboxes: "Postfächer",
    contacts: "Kontakte",
    signatures: "Signaturen",
    phones: "Telefone",
    numbers: "Nummern",
    route: "Anrufwege",
    customers: "Kunden",
    calls: "Anrufe",
    bank: "Bank",
    phone: "Softphone",
    devices: "Geräte",
    domains: "Domains",
    dnsAccounts: "DNS-Konten",
    mailDomains: "Mail-Domains",
    wakeWord: "Aktivierungswort",
    users: "Benutzer",
    tenants: "Mandanten",
    tokens: "Dienst-Tokens",
    audit: "Protokoll",
    languages: "Sprachen",
    support: "Hilfe",
    notifications: "Mitteilungen",
    settings: "Einstellungen"
  }
})

export const pages: ReadonlyArray<PageEntry> = [
  {
    path: "/",
    load: () => import("../pages/overview/Page.tsx"),
    nav: { group: "home", title: () => t().overview, icon: "home" }
  },
  {
    path: "/notifications",
    load: () => import("../pages/notifications/Page.tsx"),
    nav: { group: "home", title: () => t().notifications, icon: "bell" }
  },
  {
    path: "/alarms",
    load: () => import("../pages/alarms/Page.tsx"),
    nav: { group: "alarms", title: () => t().alarms, icon: "alarm" },
    needs: "workflows.manage"
  },
  { path: "/alarms/:id", load: () => import("../pages/alarms/Run.tsx"), needs: "workflows.manage" },
  {
    path: "/workflows",
    load: () => import("../pages/workflows/Page.tsx"),
    nav: { group: "alarms", title: () => t().workflows, icon: "workflow" },
    needs: "workflows.manage"
  },
  { path: "/workflows/:name", load: () => import("../pages/workflows/Runs.tsx"), needs: "workflows.manage" },
  {
    path: "/daemons",
    load: () => import("../pages/daemons/Page.tsx"),
    nav: { group: "status", title: () => t().daemons, icon: "daemons" },
    needs: "system.read"
  },
  {
    path: "/operations",
    load: () => import("../pages/operations/Page.tsx"),
    nav: { group: "status", title: () => t().operations, icon: "operations" },
    needs: ["system.read", "backups.read", "security.read", "settings.manage"],
    provider: true
  },
  ...operationsPages,
  {
    path: "/events",
    load: () => import("../pages/events/Page.tsx"),
    nav: { group: "alarms", title: () => t().events, icon: "events" }
  },
  {
    path: "/mail",
    load: () => import("../pages/mail/Page.tsx"),
    nav: { group: "mail", title: () => t().mail, icon: "mail" },
    needs: "webmail.use"
  },
  { path: "/mail/compose", load: () => import("../pages/mail/Compose.tsx"), needs: "webmail.use" },
  { path: "/mail/:folder", load: () => import("../pages/mail/Page.tsx"), needs: "webmail.use" },
  { path: "/mail/:folder/:uid", load: () => import("../pages/mail/Page.tsx"), needs: "webmail.use" },
  {
    path: "/contacts",
    load: () => import("../pages/contacts/Page.tsx"),
    nav: { group: "mail", title: () => t().contacts, icon: "people" },
    needs: "webmail.use"
  },
  {
    path: "/signatures",
    load: () => import("../pages/signatures/Page.tsx"),
    nav: { group: "mail", title: () => t().signatures, icon: "audit" },
    needs: "webmail.use"
  },
  {
    path: "/mailboxes",
    load: () => import("../pages/mailboxes/Page.tsx"),
    nav: { group: "mail", title: () => t().mailboxes, icon: "mailbox" },
    needs: "webmail.use"
  },
  {
    path: "/phone",
    load: () => import("../pages/phone/Page.tsx"),
    nav: { group: "telephony", title: () => t().phone, icon: "headset" }
  },
  {
    path: "/devices",
    load: () => import("../pages/devices/Page.tsx"),
    nav: { group: "system", title: () => t().devices, icon: "devices" },
    needs: "provisioning.client_tokens.read"
  },
  {
    path: "/devices/add",
    load: () => import("../pages/devices/add/Page.tsx"),
    needs: "provisioning.client_tokens.create"
  },
  { path: "/devices/services", load: () => import("../pages/devices/catalog/Page.tsx"), needs: "provisioning.read" },
  {
    path: "/calls",
    load: () => import("../pages/calls/Page.tsx"),
    nav: { group: "telephony", title: () => t().calls, icon: "calls" },
    needs: "sip.read"
  },
  {
    path: "/customers",
    load: () => import("../pages/customers/Page.tsx"),
    nav: { group: "money", title: () => t().customers, icon: "customer" },
    needs: "customers.read"
  },
  { path: "/customers/:number", load: () => import("../pages/customers/Customer.tsx"), needs: "customers.read" },
  {
    path: "/phones",
    load: () => import("../pages/phones/Page.tsx"),
    nav: { group: "telephony", title: () => t().phones, icon: "phone" },
    needs: "sip.read"
  },
  {
    path: "/numbers",
    load: () => import("../pages/numbers/Page.tsx"),
    nav: { group: "telephony", title: () => t().numbers, icon: "numbers" },
    needs: "sip.read"
  },
  { path: "/numbers/:section", load: () => import("../pages/numbers/Page.tsx"), needs: "sip.read" },
  {
    path: "/route-test",
    load: () => import("../pages/route-test/Page.tsx"),
    nav: { group: "telephony", title: () => t().route, icon: "workflow" },
    needs: "sip.read"
  },
  {
    path: "/bank",
    load: () => import("../pages/bank/Page.tsx"),
    nav: { group: "money", title: () => t().bank, icon: "bank" },
    needs: "ebics.view"
  },
  ...bankPages,
  {
    path: "/domains",
    load: () => import("../pages/domains/Page.tsx"),
    nav: { group: "domains", title: () => t().domains, icon: "globe" },
    needs: "domains.read"
  },
  { path: "/domains/:id", load: () => import("../pages/domains/Domain.tsx"), needs: "domains.read" },
  {
    path: "/mail-domains",
    load: () => import("../pages/mail-domains/Page.tsx"),
    nav: { group: "mail", title: () => t().mailDomains, icon: "mail" },
    needs: "mail.read"
  },
  { path: "/mail-domains/:id", load: () => import("../pages/mail-domains/Domain.tsx"), needs: "mail.read" },
  {
    path: "/dns-accounts",
    load: () => import("../pages/dns-accounts/Page.tsx"),
    nav: { group: "domains", title: () => t().dnsAccounts, icon: "key" },
    needs: "dns.read"
  },
  {
    path: "/wake-word",
    load: () => import("../pages/wake-word/Page.tsx"),
    nav: { group: "telephony", title: () => t().wakeWord, icon: "microphone" },
    needs: "wakeword.read"
  },
  {
    path: "/wake-word/models/:name",
    load: () => import("../pages/wake-word/models/Model.tsx"),
    needs: "wakeword.read"
  },
  {
    path: "/wake-word/recordings",
    load: () => import("../pages/wake-word/recordings/Page.tsx"),
    needs: "wakeword.read"
  },
  {
    path: "/wake-word/recordings/:word",
    load: () => import("../pages/wake-word/recordings/Word.tsx"),
    needs: "wakeword.read"
  },
  { path: "/wake-word/try", load: () => import("../pages/wake-word/try/Page.tsx"), needs: "wakeword.read" },
  {
    path: "/users",
    load: () => import("../pages/people/Page.tsx"),
    nav: { group: "system", title: () => t().users, icon: "people" },
    needs: "users.read"
  },
  { path: "/users/:id", load: () => import("../pages/people/User.tsx"), needs: "users.read" },
  { path: "/roles", load: () => import("../pages/people/roles/Page.tsx"), needs: "users.read" },
  {
    path: "/tenants",
    load: () => import("../pages/tenants/Page.tsx"),
    nav: { group: "system", title: () => t().tenants, icon: "building" },
    needs: "tenants.read",
    provider: true
  },
  {
    path: "/service-tokens",
    load: () => import("../pages/service-tokens/Page.tsx"),
    nav: { group: "system", title: () => t().tokens, icon: "key" },
    needs: "service_tokens.manage",
    provider: true
  },
  {
    path: "/audit",
    load: () => import("../pages/audit/Page.tsx"),
    nav: { group: "system", title: () => t().audit, icon: "audit" },
    needs: "audit.read"
  },
  {
    path: "/languages",
    load: () => import("../pages/languages/Page.tsx"),
    nav: { group: "system", title: () => t().languages, icon: "languages" },
    needs: "settings.manage",
    provider: true
  },
  {
    path: "/languages/:locale",
    load: () => import("../pages/languages/Language.tsx"),
    needs: "settings.manage",
    provider: true
  },
  {
    path: "/support",
    load: () => import("../pages/support/Page.tsx"),
    nav: { group: "system", title: () => t().support, icon: "lifebuoy" }
  },
  {
    path: "/settings",
    load: () => import("../pages/settings/Page.tsx"),
    nav: { group: "system", title: () => t().settings, icon: "settings" }
  }
]
