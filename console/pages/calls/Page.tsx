import { call } from "../../lib/Call.ts"
import { words } from "../../lib/Language.ts"
import { useLoad } from "../../lib/Load.ts"
import { useFilterable } from "../../parts/Filterable.ts"
import { useFilters } from "../../parts/Address.ts"
import { Loading } from "../../parts/Loading.tsx"
import { Page } from "../../parts/Page.tsx"
import { Pager, useTrail } from "../../parts/Pager.tsx"
import { Filters } from "../telephony/Filters.tsx"
import { CallTable } from "./CallTable.tsx"
import { callWords } from "./CallWords.ts"
import "../telephony/telephony.css"

const t = words({
  en: {
    title: "Calls",
    number: "Number or extension",
    direction: "Direction",
    all: "All",
    none: "No call yet. Calls show up here by themselves.",
    noneSo: "No call matches the filters."
  },
  de: {
    title: "Anrufe",
    number: "Nummer oder Nebenstelle",
    direction: "Richtung",
    all: "Alle",
    none: "Noch kein Anruf. Anrufe erscheinen hier von selbst.",
    noneSo: "Kein Anruf passt zu den Filtern."
  }
})

/** Calls per page. */
const pageSize = 50

const directions = ["inbound", "outbound", "internal"] as const
type Direction = (typeof directions)[number]

/** List of calls, newest first and live. */
export default () => {
  const filters = useFilters<string>({ number: "", direction: "" })
  const { direction = "", number = "" } = filters.value
  const trail = useTrail([number, direction])
  const before = trail.value.at(-1)
  const calls = useLoad(
    () =>
      call("GET /api/v1/sip/calls", {
        query: { limit: pageSize, before, number, direction: direction === "" ? undefined : (direction as Direction) }
      }),
    [number, direction, before],
    { live: ["call.*"] }
  )
  const filterable = useFilterable(calls, number !== "" || direction !== "" || before !== undefined)
  return (
    <Page title={t().title}>
      {filterable ? (
        <div class="filters">
          <Filters of={[{ name: "number", label: () => t().number }]} filters={filters} />
          <label>
            {t().direction}
            <select
              name="direction"
              value={direction}
              onChange={({ currentTarget }) => filters.set("direction", currentTarget.value)}
            >
              <option value="">{t().all}</option>
              {directions.map((one) => (
                <option key={one} value={one}>
                  {callWords()[one]}
                </option>
              ))}
            </select>
          </label>
        </div>
      ) : null}
      <Loading of={calls}>
        {({ items, next_before }) => (
          <>
            {items.length === 0 ? (
              <p class="empty">{number === "" && direction === "" ? t().none : t().noneSo}</p>
            ) : (
              <CallTable calls={items} />
            )}
            <Pager trail={trail} next={next_before} />
          </>
        )}
      </Loading>
    </Page>
  )
}
