/**
 * The pages of the console. Each has a folder under `pages/` and is loaded when it is first opened. Pages without the
 * user's permission are hidden; their endpoints check the permission themselves.
 */
import type { ComponentType } from "preact"
import { words } from "../lib/Language.ts"
import { isProvider, may, type Permission } from "../lib/Me.ts"
import type { GroupName } from "./Groups.ts"

export interface PageEntry {
  /** Path below `/console`; may have parameters, `/alarms/:id`. */
  readonly path: string
  readonly load: () => Promise<{ readonly default: ComponentType<any> }>
  /** Entry in the navigation; absent for pages that another page links to. */
  readonly nav?: { readonly title: () => string; readonly icon: string; readonly group: GroupName }
  /** Permission to open the page; of several, one is enough. */
  readonly needs?: Permission | ReadonlyArray<Permission>
  /** Whether the page is only for users of the provider. Others who open its address are told so. */
  readonly provider?: true
}

/** Whether the user may open the page. */
export const mayOpen = ({ needs, provider }: Pick<PageEntry, "needs" | "provider">): boolean =>
  (provider === undefined || isProvider()) && (needs === undefined || [needs].flat().some(may))

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

/** Pages of the provider's machines, below `/operations`: permission and loader by path. */
const operations = (
  entries: Readonly<Record<string, readonly [Permission, PageEntry["load"]]>>
): ReadonlyArray<PageEntry> =>
  Object.entries(entries).map(([path, [needs, load]]) => ({ path: `/operations/${path}`, load, needs, provider: true }))

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
  ...operations({
    services: ["system.read", () => import("../pages/operations/services/Page.tsx")],
    "services/:name": ["system.read", () => import("../pages/operations/services/Service.tsx")],
    status: ["system.read", () => import("../pages/operations/status/Page.tsx")],
    "status/incidents/:id": ["system.read", () => import("../pages/operations/status/Incident.tsx")],
    checks: ["system.read", () => import("../pages/operations/checks/Page.tsx")],
    "checks/:id": ["system.read", () => import("../pages/operations/checks/Check.tsx")],
    alerts: ["system.read", () => import("../pages/operations/alerts/Page.tsx")],
    "alerts/:id": ["system.read", () => import("../pages/operations/alerts/Alert.tsx")],
    backups: ["backups.read", () => import("../pages/operations/backups/Page.tsx")],
    bans: ["security.read", () => import("../pages/operations/bans/Page.tsx")],
    edge: ["security.read", () => import("../pages/operations/edge/Page.tsx")],
    settings: ["settings.manage", () => import("../pages/operations/settings/Page.tsx")]
  }),
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
  { path: "/bank/transactions", load: () => import("../pages/bank/transactions/Page.tsx"), needs: "ebics.view" },
  { path: "/bank/invoices", load: () => import("../pages/bank/invoices/Page.tsx"), needs: "ebics.view" },
  { path: "/bank/invoices/:uuid", load: () => import("../pages/bank/invoices/Invoice.tsx"), needs: "ebics.view" },
  { path: "/bank/payments", load: () => import("../pages/bank/payments/Page.tsx"), needs: "ebics.view" },
  { path: "/bank/payments/events", load: () => import("../pages/bank/payments/Events.tsx"), needs: "ebics.view" },
  { path: "/bank/payments/events/:uuid", load: () => import("../pages/bank/payments/Event.tsx"), needs: "ebics.view" },
  { path: "/bank/payments/:uuid", load: () => import("../pages/bank/payments/Payment.tsx"), needs: "ebics.view" },
  { path: "/bank/customers", load: () => import("../pages/bank/customers/Page.tsx"), needs: "ebics.view" },
  { path: "/bank/statements", load: () => import("../pages/bank/statements/Page.tsx"), needs: "ebics.view" },
  { path: "/bank/statements/files", load: () => import("../pages/bank/statements/Files.tsx"), needs: "ebics.view" },
  { path: "/bank/statements/:uuid", load: () => import("../pages/bank/statements/Statement.tsx"), needs: "ebics.view" },
  { path: "/bank/accounts", load: () => import("../pages/bank/accounts/Page.tsx"), needs: "ebics.view" },
  { path: "/bank/accounts/new", load: () => import("../pages/bank/accounts/New.tsx"), needs: "ebics.manage" },
  { path: "/bank/accounts/:uuid", load: () => import("../pages/bank/accounts/Account.tsx"), needs: "ebics.view" },
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
