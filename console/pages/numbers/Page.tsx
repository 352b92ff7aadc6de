import { words } from "../../lib/Language.ts"
import { Page } from "../../parts/Page.tsx"
import { Tabs } from "../../parts/Tabs.tsx"
import type { Kind } from "../telephony/Kind.ts"
import { callFilters } from "../telephony/kinds/CallFilters.tsx"
import { dids } from "../telephony/kinds/Dids.tsx"
import { externalNumbers } from "../telephony/kinds/ExternalNumbers.tsx"
import { ivrMenus } from "../telephony/kinds/IvrMenus.tsx"
import { lines } from "../telephony/kinds/Lines.tsx"
import { ringGroups } from "../telephony/kinds/RingGroups.tsx"
import { trunks } from "../telephony/kinds/Trunks.tsx"
import { voicemailBoxes } from "../telephony/kinds/VoicemailBoxes.tsx"
import { List } from "../telephony/List.tsx"
import { Boxes } from "./Boxes.tsx"
import { Dids } from "./Dids.tsx"

const t = words({
  en: { title: "Numbers and lines", tabs: "Sections" },
  de: { title: "Nummern und Leitungen", tabs: "Abschnitte" }
})

/** Sections by the last part of their URL. */
const sections: ReadonlyArray<readonly [string, Kind]> = [
  ["dids", dids],
  ["ring-groups", ringGroups],
  ["menus", ivrMenus],
  ["voicemail", voicemailBoxes],
  ["filters", callFilters],
  ["trunks", trunks],
  ["lines", lines],
  ["external", externalNumbers]
]

/** Numbers for incoming calls, their destinations, and the lines for outgoing calls. */
export default ({ section = "dids" }: { readonly section?: string }) => {
  const [at, of] = sections.find(([name]) => name === section) ?? sections[0]!
  return (
    <Page title={t().title}>
      <Tabs
        label={t().tabs}
        of={sections.map(([name, { title }]) => ({
          href: `/console/numbers/${name}`,
          title: title(),
          current: name === at
        }))}
      />
      {at === "voicemail" ? <Boxes key={at} /> : at === "dids" ? <Dids key={at} /> : <List key={at} of={of} />}
    </Page>
  )
}
