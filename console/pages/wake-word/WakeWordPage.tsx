import type { ComponentChildren } from "preact"
import { words } from "../../lib/Language.ts"
import { Page } from "../../parts/Page.tsx"
import { Tabs } from "../../parts/Tabs.tsx"
import "../telephony/telephony.css"
import "./wake-word.css"

const t = words({
  en: { sections: "Sections of the wake word", models: "Wake word", recordings: "Recordings", try: "Try it" },
  de: {
    sections: "Abschnitte des Aktivierungsworts",
    models: "Aktivierungswort",
    recordings: "Aufnahmen",
    try: "Ausprobieren"
  }
})

const tabs = words({
  en: { models: "Models", recordings: "Recordings", try: "Try it" },
  de: { models: "Modelle", recordings: "Aufnahmen", try: "Ausprobieren" }
})

const sections = ["models", "recordings", "try"] as const
export type Section = (typeof sections)[number]

export const sectionHref = (section: Section): string =>
  section === "models" ? "/console/wake-word" : `/console/wake-word/${section}`

/** Frame of the pages of the wake word, with links to all of them. */
export const WakeWordPage = ({
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
      of={sections.map((one) => ({ href: sectionHref(one), title: tabs()[one], current: one === section }))}
    />
    {children}
  </Page>
)
