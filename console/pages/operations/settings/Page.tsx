import { call } from "../../../lib/Call.ts"
import type { Answer } from "../../../lib/Endpoints.ts"
import { words } from "../../../lib/Language.ts"
import { useLoad } from "../../../lib/Load.ts"
import { Loading } from "../../../parts/Loading.tsx"
import { OperationsPage } from "../OperationsPage.tsx"
import { Group } from "./Group.tsx"

const t = words({
  en: {
    intro:
      "Settings of the whole installation. A change takes effect within a second, without a restart. " +
      "What the environment sets is locked here."
  },
  de: {
    intro:
      "Einstellungen der ganzen Installation. Eine Änderung gilt innerhalb einer Sekunde, ohne Neustart. " +
      "Was die Umgebung vorgibt, ist hier gesperrt."
  }
})

type Item = Answer<"GET /api/v1/settings/platform">["items"][number]

/** Settings by group, in the order of the answer. */
const grouped = (items: ReadonlyArray<Item>): ReadonlyArray<readonly [Item["group"], ReadonlyArray<Item>]> => [
  ...Map.groupBy(items, ({ group }) => group)
]

/** Settings of the installation that are stored in the database. */
export default () => {
  const settings = useLoad(() => call("GET /api/v1/settings/platform"))
  return (
    <OperationsPage section="settings">
      <p class="soft">{t().intro}</p>
      <Loading of={settings}>
        {({ items }) => (
          <>
            {grouped(items).map(([group, some]) => (
              <Group key={group} group={group} items={some} changed={settings.reload} />
            ))}
          </>
        )}
      </Loading>
    </OperationsPage>
  )
}
