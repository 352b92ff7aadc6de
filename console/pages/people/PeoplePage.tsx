import type { ComponentChildren } from "preact"
import { words } from "../../lib/Language.ts"
import { Page } from "../../parts/Page.tsx"
import { Tabs } from "../../parts/Tabs.tsx"
import { shared } from "./Words.ts"

const t = words({ en: { sections: "Users and roles" }, de: { sections: "Benutzer und Rollen" } })

/** Frame of the pages about users. `title`: default is the name of the section. */
export const PeoplePage = ({
  actions,
  children,
  section,
  title = shared()[section]
}: {
  readonly section: "users" | "roles"
  readonly title?: string
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
}) => (
  <Page title={title} actions={actions}>
    <Tabs
      label={t().sections}
      of={[
        { href: "/console/users", title: shared().users, current: section === "users" },
        { href: "/console/roles", title: shared().roles, current: section === "roles" }
      ]}
    />
    {children}
  </Page>
)
