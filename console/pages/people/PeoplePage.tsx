import type { ComponentChildren } from "preact"
import { words } from "../../lib/Language.ts"
import { Page } from "../../parts/Page.tsx"
import { Tabs } from "../../parts/Tabs.tsx"
import { shared } from "./Words.ts"

const t = words({ en: { sections: "Users and roles" }, de: { sections: "Benutzer und Rollen" } })

/** Address of the list of users. `tenant`: id of another tenant. */
export const usersHref = (tenant: string | undefined): string =>
  `/console/users${tenant === undefined ? "" : `?tenant=${tenant}`}`

/**
 * Frame of the pages about users. `title`: default is the name of the section. `tenant`: id of another tenant, which
 * the link to the users keeps.
 */
export const PeoplePage = ({
  actions,
  children,
  section,
  tenant,
  title = shared()[section]
}: {
  readonly section: "users" | "roles"
  readonly title?: string
  readonly tenant?: string | undefined
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
}) => (
  <Page title={title} actions={actions}>
    <Tabs
      label={t().sections}
      of={[
        { href: usersHref(tenant), title: shared().users, current: section === "users" },
        { href: "/console/roles", title: shared().roles, current: section === "roles" }
      ]}
    />
    {children}
  </Page>
)
