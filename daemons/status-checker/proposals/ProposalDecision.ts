/**
 * Decides when to draft an incident and when to delete such a draft. Pure. Publishes nothing.
 *
 * A component that stays down long enough is proposed when no open incident, active maintenance or draft covers it,
 * together with components that went down at about the same time. A proposal is deleted once all its components are up
 * or covered; one that a person edited stays. After a person deletes a proposal, the component is not proposed again
 * until it was up.
 */
import type { Incident, Maintenance } from "../status/Model.ts"
import type { ComponentStatus, Severity } from "../status/Vocabulary.ts"

/** Last measured state of a declared component. Unit of times: milliseconds since 1970. */
export interface ObservedComponent {
  readonly id: string
  readonly status: ComponentStatus
  readonly since: number
  readonly checkedAt: number
}

export interface Draft {
  readonly id: string
  readonly components: ReadonlyArray<string>
  /** Null for a draft of a person. */
  readonly proposed_for: string | null
}

export interface Situation {
  /** Unit, also of the next three: milliseconds. */
  readonly now: number
  /** Minimum downtime before a proposal. */
  readonly after: number
  /** Largest distance between the outages of one proposal. */
  readonly together: number
  /** Age from which a check is ignored; the component then counts neither as down nor as up. */
  readonly freshFor: number
  readonly components: ReadonlyArray<ObservedComponent>
  /** Incidents of the file and published ones. */
  readonly incidents: ReadonlyArray<Incident>
  readonly maintenance: ReadonlyArray<Maintenance>
  readonly drafts: ReadonlyArray<Draft>
  /** Components whose proposal a person deleted. */
  readonly dismissed: ReadonlySet<string>
  /** Start of each outage, from the previous decision; a change between two down statuses keeps it. */
  readonly downSince: ReadonlyMap<string, number>
}

export interface Proposal {
  /** In the order of SERVICES_FILE. */
  readonly components: ReadonlyArray<string>
  readonly severity: Severity
  /** Start of the first outage. */
  readonly since: number
}

export interface Decision {
  readonly propose: ReadonlyArray<Proposal>
  readonly withdraw: ReadonlyArray<{ readonly id: string; readonly reason: "recovered" | "covered" }>
  /** Dismissed components that are up; their next outage is proposed again. */
  readonly forget: ReadonlyArray<string>
  /** Input of the next decision. */
  readonly downSince: ReadonlyMap<string, number>
}

export const decide = (situation: Situation): Decision => {
  const { after, components, dismissed, drafts, freshFor, now, together } = situation
  const fresh = components.filter(({ checkedAt }) => now - checkedAt <= freshFor)
  const down = fresh.filter(isDown)
  const up = new Set(fresh.filter(isUp).map(({ id }) => id))
  // A late check does not reset the start of an outage.
  const downSince = new Map(
    components.filter(isDown).map(({ id, since }) => [id, Math.min(since, situation.downSince.get(id) ?? since)])
  )
  const covered = coveredComponents(situation)

  const withdraw = drafts
    .filter(({ proposed_for }) => proposed_for !== null)
    .filter((draft) => draft.components.every((id) => up.has(id) || covered.has(id)))
    .map(({ components, id }) => ({
      id,
      reason: components.every((id) => up.has(id)) ? ("recovered" as const) : ("covered" as const)
    }))

  const drafted = new Set(drafts.flatMap(({ components }) => components))
  const open = down
    .filter(({ id }) => !covered.has(id) && !drafted.has(id) && !dismissed.has(id))
    .map((seen) => ({ ...seen, since: downSince.get(seen.id)! }))
    .sort((a, b) => a.since - b.since)
  const propose: Array<Proposal> = []
  for (let rest = open; rest.length > 0 && now - rest[0]!.since >= after;) {
    const { since } = rest[0]!
    const group = rest.filter((other) => other.since - since <= together)
    const ids = new Set(group.map(({ id }) => id))
    propose.push({
      components: components.filter(({ id }) => ids.has(id)).map(({ id }) => id),
      severity: group.some(({ status }) => status === "major_outage") ? "critical" : "major",
      since
    })
    rest = rest.filter(({ id }) => !ids.has(id))
  }
  return { propose, withdraw, forget: [...dismissed].filter((id) => up.has(id)), downSince }
}

const isDown = ({ status }: ObservedComponent): boolean => status === "partial_outage" || status === "major_outage"
const isUp = ({ status }: ObservedComponent): boolean => status === "operational" || status === "degraded_performance"

/**
 * Components covered by an incident or maintenance, or by an incident resolved recently: a new proposal would follow a
 * resolution at once.
 */
const coveredComponents = ({ after, incidents, maintenance, now }: Situation): ReadonlySet<string> =>
  new Set(
    [
      ...incidents.filter(
        ({ resolved_at, status }) =>
          status !== "resolved" || (resolved_at !== null && now - Date.parse(resolved_at) < after)
      ),
      ...maintenance.filter(({ ends_at, starts_at }) => Date.parse(starts_at) <= now && now < Date.parse(ends_at))
    ].flatMap(({ components }) => components)
  )
