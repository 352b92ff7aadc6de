import { call } from "../../../lib/Call.ts"
import type { Answer } from "../../../lib/Endpoints.ts"
import { words } from "../../../lib/Language.ts"
import { useLoad } from "../../../lib/Load.ts"
import { Loading } from "../../../parts/Loading.tsx"
import { OperationsPage } from "../OperationsPage.tsx"
import { Setting } from "./Setting.tsx"

const t = words({
  en: {
    intro:
      "Settings of the whole installation. A change holds within a second, without a restart. " +
      "What the environment sets is locked here.",
    alarms: "Alarms",
    webhooks: "Webhooks",
    mail: "Mail",
    addresses: "Addresses",
    branding: "Name and look"
  },
  de: {
    intro:
      "Einstellungen der ganzen Installation. Eine Änderung gilt innerhalb einer Sekunde, ohne Neustart. " +
      "Was die Umgebung vorgibt, ist hier gesperrt.",
    alarms: "Alarme",
    webhooks: "Webhooks",
    mail: "Mail",
    addresses: "Adressen",
    branding: "Name und Aussehen"
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
              <section class="card" key={group} aria-labelledby={`group-${group}`}>
                <h2 id={`group-${group}`}>{t()[group]}</h2>
                {some.map((setting) => (
                  <Setting key={setting.name} setting={setting} changed={settings.reload} />
                ))}
              </section>
            ))}
          </>
        )}
      </Loading>
    </OperationsPage>
  )
}
