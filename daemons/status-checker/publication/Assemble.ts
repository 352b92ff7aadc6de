/** Assembles what the page shows from the files, the measurements and the database. Pure. */
import { merge } from "../incidents/Exports.ts"
import {
  type Component,
  type ShownComponent,
  type ComponentState,
  type Day,
  historyDays,
  type Incident,
  type Maintenance,
  responseHours,
  responseStep,
  type ResponseTimes,
  type Snapshot
} from "../status/Model.ts"
import { impliedBy, overall, type ShownStatus, worse } from "../status/Vocabulary.ts"
import { isStale } from "./Staleness.ts"

/** Content of the database at the last successful read. */
export interface StoredData {
  readonly states: ReadonlyArray<ComponentState>
  /** By component, oldest first. */
  readonly days: Readonly<Record<string, ReadonlyArray<Day>>>
  /** By component, oldest first. */
  readonly times: Readonly<Record<string, ReadonlyArray<ResponseTimes>>>
  readonly incidents: ReadonlyArray<Incident>
  readonly maintenance: ReadonlyArray<Maintenance>
}

export const noStoredData: StoredData = { states: [], days: {}, times: {}, incidents: [], maintenance: [] }

export interface Parts {
  readonly components: ReadonlyArray<Component>
  /** Incidents of INCIDENTS_FILE. */
  readonly incidents: ReadonlyArray<Incident>
  readonly known: StoredData
  /** States that this process measured; newer than the database while Postgres is away. */
  readonly latest: ReadonlyMap<string, ComponentState>
  /** See `Snapshot`. Unit: milliseconds. */
  readonly freshFor: number
}

/** Unit: milliseconds. */
const day = 86_400_000

/** Ids come from operators, so they may be names of an object's own members. */
const of = <A>(all: Readonly<Record<string, ReadonlyArray<A>>>, id: string): ReadonlyArray<A> =>
  Object.hasOwn(all, id) ? all[id]! : []

/** Snapshot at `now`, in milliseconds since 1970. */
export const assemble = ({ components, freshFor, incidents: filed, known, latest }: Parts, now: number): Snapshot => {
  const incidents = merge(filed, known.incidents)
  const open = incidents.filter(({ status }) => status !== "resolved")
  const maintenance = known.maintenance.filter(({ ends_at }) => Date.parse(ends_at) > now)
  const underWay = maintenance.filter(({ starts_at }) => Date.parse(starts_at) <= now)
  const stored = new Map(known.states.map((state) => [state.component_id, state]))
  const firstTime = now - responseHours * 3_600_000 - responseStep
  const firstDay = new Date(now - (historyDays - 1) * day).toISOString().slice(0, 10)
  const pictures = components.map((component): ShownComponent => {
    const measured = newer(stored.get(component.id), latest.get(component.id))
    const about = (one: { readonly components: ReadonlyArray<string> }) => one.components.includes(component.id)
    const checked = { component, checked_at: measured?.checked_at ?? null }
    return {
      ...checked,
      ...shown(measured, isStale(checked, now, freshFor), open.filter(about), underWay.filter(about)),
      days: of(known.days, component.id).filter((one) => one.day >= firstDay),
      times: of(known.times, component.id).filter(({ at }) => Date.parse(at) > firstTime)
    }
  })
  return {
    at: new Date(now).toISOString(),
    // An incident without components affects the overall status only.
    status: overall([
      ...(pictures.length === 0 ? (["unknown"] as const) : pictures.map(({ status }) => status)),
      ...open.filter((incident) => incident.components.length === 0).map(impliedBy)
    ]),
    components: pictures,
    incidents,
    maintenance,
    freshFor
  }
}

/**
 * Next start or end of maintenance, which changes the snapshot without new data. Unit: milliseconds since 1970;
 * Infinity when there is none.
 */
export const nextBoundary = ({ maintenance }: Pick<StoredData, "maintenance">, now: number): number =>
  Math.min(
    ...maintenance
      .flatMap(({ ends_at, starts_at }) => [Date.parse(starts_at), Date.parse(ends_at)])
      .filter((at) => at > now)
  )

const newer = (stored: ComponentState | undefined, seen: ComponentState | undefined): ComponentState | undefined =>
  stored === undefined || (seen !== undefined && Date.parse(seen.checked_at) >= Date.parse(stored.checked_at))
    ? (seen ?? stored)
    : stored

/**
 * Status and its start. Active maintenance replaces the measured status; open incidents raise it to at least the status
 * they imply. A stale `operational` is `unknown` since an unknown time. `since` belongs to whichever decides.
 */
const shown = (
  measured: ComponentState | undefined,
  stale: boolean,
  open: ReadonlyArray<Incident>,
  underWay: ReadonlyArray<Maintenance>
): { readonly status: ShownStatus; readonly since: string | null } => {
  const last = { status: measured?.status ?? ("operational" as const), since: measured?.since ?? null }
  const base: { readonly status: ShownStatus; readonly since: string | null } =
    underWay.length > 0
      ? { status: "under_maintenance", since: earliest(underWay.map(({ starts_at }) => starts_at)) }
      : stale && last.status === "operational"
        ? { status: "unknown", since: null }
        : last
  const status = open.map(impliedBy).reduce<ShownStatus>(worse, base.status)
  return status === base.status
    ? base
    : {
        status,
        since: earliest(open.filter((incident) => impliedBy(incident) === status).map(({ created_at }) => created_at))
      }
}

const earliest = (times: ReadonlyArray<string>): string =>
  new Date(Math.min(...times.map((time) => Date.parse(time)))).toISOString()
