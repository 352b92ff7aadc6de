import { call } from "../../../lib/Call.ts"
import { words } from "../../../lib/Language.ts"
import { useLoad } from "../../../lib/Load.ts"
import { useFilterable } from "../../../parts/Filterable.ts"
import { useFilters } from "../../../parts/Address.ts"
import { Badge } from "../../../parts/Badge.tsx"
import { FilterSelect } from "../../../parts/FilterSelect.tsx"
import { Loading } from "../../../parts/Loading.tsx"
import { Pager, useTrail } from "../../../parts/Pager.tsx"
import { Filters } from "../../telephony/Filters.tsx"
import { OperationsPage } from "../OperationsPage.tsx"
import { ServiceTable } from "./ServiceTable.tsx"
import { kinds, type Service, serviceWords, type Source, states } from "./Words.ts"

const t = words({
  en: {
    search: "Name",
    kind: "Kind",
    state: "State",
    none: "No service is known. The watchdog reads containers, systemd units and the own daemons of its machine.",
    noneSo: "No service matches the filters.",
    down: (source: string) => `${source}: does not answer`,
    unconfigured: (source: string) => `${source}: not set up`
  },
  de: {
    search: "Name",
    kind: "Art",
    state: "Zustand",
    none: "Kein Dienst ist bekannt. Der Watchdog liest Container, systemd-Units und die eigenen Daemons seiner Maschine.",
    noneSo: "Kein Dienst passt zu den Filtern.",
    down: (source: string) => `${source}: antwortet nicht`,
    unconfigured: (source: string) => `${source}: nicht eingerichtet`
  }
})

/** Services per page. */
const pageSize = 100

/** Reload interval. Unit: milliseconds. Reason: services change without an event. */
const every = 5_000

/** Containers, systemd units and own daemons with their state. */
export default () => {
  const filters = useFilters<string>({ search: "", kind: "", state: "" })
  const { kind = "", search = "", state = "" } = filters.value
  const trail = useTrail([kind, search, state])
  const before = trail.value.at(-1)
  const list = useLoad(
    () =>
      call("GET /api/v1/system/services", {
        query: {
          limit: pageSize,
          before,
          search,
          kind: kind === "" ? undefined : (kind as Service["kind"]),
          state: state === "" ? undefined : (state as Service["state"])
        }
      }),
    [kind, search, state, before],
    { every }
  )
  const filtered = [kind, search, state].some((one) => one !== "")
  const filterable = useFilterable(list, filtered || before !== undefined)
  return (
    <OperationsPage section="services">
      {filterable ? (
        <div class="filters">
          <Filters of={[{ name: "search", label: () => t().search }]} filters={filters} />
          <FilterSelect
            name="kind"
            label={t().kind}
            value={kind}
            set={(value) => filters.set("kind", value)}
            options={kinds.map((one) => [one, serviceWords()[one]] as const)}
          />
          <FilterSelect
            name="state"
            label={t().state}
            value={state}
            set={(value) => filters.set("state", value)}
            options={states.map((one) => [one, serviceWords()[one]] as const)}
          />
        </div>
      ) : null}
      <Loading of={list}>
        {({ items, next_before, sources }) => (
          <>
            <Sources of={sources} />
            {items.length === 0 ? (
              <p class="empty">{filtered ? t().noneSo : t().none}</p>
            ) : (
              <ServiceTable of={items} changed={list.reload} />
            )}
            <Pager trail={trail} next={next_before} />
          </>
        )}
      </Loading>
    </OperationsPage>
  )
}

/** Sources that contribute nothing. */
const Sources = ({ of }: { readonly of: ReadonlyArray<Source> }) => (
  <>
    {of
      .filter(({ status }) => status !== "ok")
      .map(({ detail, kind, status }) => (
        <p key={kind} class="ops-line">
          <Badge tone={status === "down" ? "error" : "quiet"}>
            {status === "down" ? t().down(serviceWords()[kind]) : t().unconfigured(serviceWords()[kind])}
          </Badge>
          {detail === null ? null : <small>{detail}</small>}
        </p>
      ))}
  </>
)
