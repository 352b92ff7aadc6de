import { useSignal } from "@preact/signals"
import { useLocation } from "preact-iso"
import { call } from "../../../lib/Call.ts"
import { words } from "../../../lib/Language.ts"
import { useLoad } from "../../../lib/Load.ts"
import { may } from "../../../lib/Me.ts"
import { useFilterable } from "../../../parts/Filterable.ts"
import { useFilters } from "../../../parts/Address.ts"
import { FilterSelect } from "../../../parts/FilterSelect.tsx"
import { Loading } from "../../../parts/Loading.tsx"
import { Pager, useTrail } from "../../../parts/Pager.tsx"
import { Filters } from "../../telephony/Filters.tsx"
import { OperationsPage } from "../OperationsPage.tsx"
import { CheckForm } from "./CheckForm.tsx"
import { CheckTable } from "./CheckTable.tsx"
import { checkHref, type Check, checkWord, kinds, type Status, statuses, worstFirst } from "./Words.ts"

const t = words({
  en: {
    add: "Add a check",
    name: "Name",
    kind: "Kind",
    status: "State",
    origin: "Origin",
    none: "No check yet. The watchdog finds the checks of its machine by itself within a few minutes.",
    noneSo: "No check matches the filters."
  },
  de: {
    add: "Prüfung hinzufügen",
    name: "Name",
    kind: "Art",
    status: "Zustand",
    origin: "Herkunft",
    none: "Noch keine Prüfung. Der Watchdog findet die Prüfungen seiner Maschine in wenigen Minuten von selbst.",
    noneSo: "Keine Prüfung passt zu den Filtern."
  }
})

/** Checks per page. */
const pageSize = 100

/** Reload interval. Unit: milliseconds. Reason: checks run without an event. */
const every = 10_000

/** Checks of machines and services with their last values. */
export default () => {
  const { route } = useLocation()
  const filters = useFilters<string>({ q: "", kind: "", status: "", origin: "" })
  const { kind = "", origin = "", q = "", status = "" } = filters.value
  const trail = useTrail([kind, origin, q, status])
  const before = trail.value.at(-1)
  const adding = useSignal(false)
  const list = useLoad(
    () =>
      call("GET /api/v1/monitoring/checks", {
        query: {
          limit: pageSize,
          before,
          q,
          kind: kind === "" ? undefined : (kind as Check["kind"]),
          status: status === "" ? undefined : (status as Status),
          origin: origin === "" ? undefined : (origin as Check["origin"])
        }
      }),
    [kind, origin, q, status, before],
    { live: ["monitoring.alert.*"], every }
  )
  const filtered = [kind, origin, q, status].some((one) => one !== "")
  const filterable = useFilterable(list, filtered || before !== undefined)
  return (
    <OperationsPage
      section="checks"
      actions={
        may("system.manage") && !adding.value ? (
          <button type="button" class="primary" onClick={() => (adding.value = true)}>
            {t().add}
          </button>
        ) : undefined
      }
    >
      {adding.value ? (
        <CheckForm check={undefined} shut={() => (adding.value = false)} saved={({ id }) => route(checkHref(id))} />
      ) : null}
      {filterable ? (
        <div class="filters">
          <Filters of={[{ name: "q", label: () => t().name }]} filters={filters} />
          <FilterSelect
            name="status"
            label={t().status}
            value={status}
            set={(value) => filters.set("status", value)}
            options={statuses.map((one) => [one, checkWord(one)] as const)}
          />
          <FilterSelect
            name="kind"
            label={t().kind}
            value={kind}
            set={(value) => filters.set("kind", value)}
            options={kinds.map((one) => [one, checkWord(one)] as const)}
          />
          <FilterSelect
            name="origin"
            label={t().origin}
            value={origin}
            set={(value) => filters.set("origin", value)}
            options={(["built_in", "operator"] as const).map((one) => [one, checkWord(one)] as const)}
          />
        </div>
      ) : null}
      <Loading of={list}>
        {({ items, next_before }) => (
          <>
            {items.length === 0 ? (
              <p class="empty">{filtered ? t().noneSo : t().none}</p>
            ) : (
              <CheckTable of={worstFirst(items)} changed={list.reload} />
            )}
            <Pager trail={trail} next={next_before} />
          </>
        )}
      </Loading>
    </OperationsPage>
  )
}
