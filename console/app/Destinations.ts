/** Sections and actions that are no entries of the navigation, for the command palette. */
import { words } from "../lib/Language.ts"
import { isProvider, may, type Permission } from "../lib/Me.ts"
import { type GroupName, groupTitle } from "./Groups.ts"
import { mayOpen } from "./PageEntry.ts"
import { pages } from "./Pages.ts"

const t = words({
  en: {
    compose: "Write a mail",
    addDevice: "Set up a device",
    services: "Services",
    statusPage: "Status page",
    checks: "Checks",
    alerts: "Alerts",
    backups: "Backups",
    bans: "Bans",
    edge: "Protected hosts",
    installation: "Settings of the installation",
    transactions: "Bank transactions",
    invoices: "Invoices",
    payments: "Payments",
    statements: "Bank statements",
    accounts: "Bank accounts",
    open: "Unacknowledged alarms",
    ringGroups: "Ring groups",
    menus: "Menus",
    voicemail: "Voicemail boxes",
    filters: "Call filters",
    trunks: "Trunks",
    external: "External numbers"
  },
  de: {
    compose: "Mail schreiben",
    addDevice: "Gerät einrichten",
    services: "Dienste",
    statusPage: "Statusseite",
    checks: "Prüfungen",
    alerts: "Meldungen",
    backups: "Backups",
    bans: "Sperren",
    edge: "Geschützte Hosts",
    installation: "Einstellungen der Installation",
    transactions: "Umsätze",
    invoices: "Rechnungen",
    payments: "Zahlungen",
    statements: "Kontoauszüge",
    accounts: "Bankkonten",
    open: "Nicht quittierte Alarme",
    ringGroups: "Rufgruppen",
    menus: "Menüs",
    voicemail: "Anrufbeantworter",
    filters: "Anruffilter",
    trunks: "Anschlüsse",
    external: "Externe Nummern"
  }
})

export interface Destination {
  readonly href: string
  readonly title: string
  readonly group: string
  readonly icon: string
}

interface Section {
  readonly path: string
  readonly title: () => string
  readonly group: GroupName
  readonly icon: string
  readonly needs: Permission
  readonly provider?: true
}

const sections: ReadonlyArray<Section> = [
  {
    path: "/alarms?acknowledged=false",
    title: () => t().open,
    group: "alarms",
    icon: "alarm",
    needs: "workflows.manage"
  },
  { path: "/mail/compose", title: () => t().compose, group: "mail", icon: "mail", needs: "webmail.use" },
  {
    path: "/devices/add",
    title: () => t().addDevice,
    group: "system",
    icon: "devices",
    needs: "provisioning.client_tokens.create"
  },
  ...(
    [
      ["ring-groups", () => t().ringGroups],
      ["menus", () => t().menus],
      ["voicemail", () => t().voicemail],
      ["filters", () => t().filters],
      ["trunks", () => t().trunks],
      ["external", () => t().external]
    ] as const
  ).map(([name, title]): Section => ({
    path: `/numbers/${name}`,
    title,
    group: "telephony",
    icon: "numbers",
    needs: "sip.read"
  })),
  ...(
    [
      ["transactions", () => t().transactions],
      ["invoices", () => t().invoices],
      ["payments", () => t().payments],
      ["statements", () => t().statements],
      ["accounts", () => t().accounts]
    ] as const
  ).map(([name, title]): Section => ({
    path: `/bank/${name}`,
    title,
    group: "money",
    icon: "bank",
    needs: "ebics.view"
  })),
  ...(
    [
      ["alerts", () => t().alerts, "system.read"],
      ["checks", () => t().checks, "system.read"],
      ["services", () => t().services, "system.read"],
      ["status", () => t().statusPage, "system.read"],
      ["backups", () => t().backups, "backups.read"],
      ["bans", () => t().bans, "security.read"],
      ["edge", () => t().edge, "security.read"],
      ["settings", () => t().installation, "settings.manage"]
    ] as const
  ).map(([name, title, needs]): Section => ({
    path: `/operations/${name}`,
    title,
    group: "status",
    icon: "operations",
    needs,
    provider: true
  }))
]

/** All pages and sections that the user may open, in the order of the navigation. */
export const destinations = (): ReadonlyArray<Destination> => [
  ...pages
    .filter((page) => page.nav !== undefined && mayOpen(page))
    .map(({ nav, path }) => ({
      href: `/console${path}`,
      title: nav!.title(),
      group: groupTitle(nav!.group),
      icon: nav!.icon
    })),
  ...sections
    .filter(({ needs, provider }) => may(needs) && (provider === undefined || isProvider()))
    .map(({ group, icon, path, title }) => ({
      href: `/console${path}`,
      title: title(),
      group: groupTitle(group),
      icon
    }))
]

/**
 * Destinations whose title or group contains every word of the text; those whose title begins with the text come
 * first. Pure.
 */
export const matching = (all: ReadonlyArray<Destination>, text: string): ReadonlyArray<Destination> => {
  const wanted = folded(text).split(/\s+/).filter(Boolean)
  const rank = ({ title }: Destination) => (folded(title).startsWith(folded(text).trim()) ? 0 : 1)
  return all
    .filter(({ group, title }) => wanted.every((word) => folded(`${title} ${group}`).includes(word)))
    .toSorted((a, b) => rank(a) - rank(b))
}

/** Letter case and accents do not matter. */
const folded = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase()
