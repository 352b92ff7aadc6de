import type { ComponentChildren } from "preact"
import { words } from "../../lib/Language.ts"
import { may, type Permission } from "../../lib/Me.ts"
import { Page } from "../../parts/Page.tsx"
import { Tabs } from "../../parts/Tabs.tsx"
import "../telephony/telephony.css"
import "./operations.css"

const t = words({
  en: {
    sections: "Sections of the operations",
    alerts: "Alerts",
    checks: "Checks",
    services: "Services",
    status: "Status page",
    backups: "Backups",
    bans: "Bans",
    edge: "Protected hosts",
    settings: "Installation"
  },
  de: {
    sections: "Abschnitte des Betriebs",
    alerts: "Meldungen",
    checks: "Prüfungen",
    services: "Dienste",
    status: "Statusseite",
    backups: "Backups",
    bans: "Sperren",
    edge: "Geschützte Hosts",
    settings: "Installation"
  }
})

/** Sections with the permission that each needs. */
const sections = [
  ["alerts", "system.read"],
  ["checks", "system.read"],
  ["services", "system.read"],
  ["status", "system.read"],
  ["backups", "backups.read"],
  ["bans", "security.read"],
  ["edge", "security.read"],
  ["settings", "settings.manage"]
] as const satisfies ReadonlyArray<readonly [string, Permission]>

export type Section = (typeof sections)[number][0]

export const sectionTitle = (section: Section): string => t()[section]

/** The first section that the user may open. */
export const firstSection = (): Section => sections.find(([, needs]) => may(needs))?.[0] ?? "alerts"

/** Frame of the pages of operations, with links to those that the user may open. */
export const OperationsPage = ({
  actions,
  children,
  section,
  title = t()[section]
}: {
  readonly section: Section
  /** Default: the name of the section. */
  readonly title?: string
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
}) => (
  <Page title={title} actions={actions}>
    <Tabs
      label={t().sections}
      of={sections
        .filter(([, needs]) => may(needs))
        .map(([one]) => ({ href: `/console/operations/${one}`, title: t()[one], current: one === section }))}
    />
    {children}
  </Page>
)
