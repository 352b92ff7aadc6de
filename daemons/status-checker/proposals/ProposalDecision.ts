/**
 * When an incident is drafted, and when such a draft is dropped again. Pure. Nothing is published by it.
 *
 * A component that is down for long enough, and of which nobody speaks (no open incident, no maintenance under way, no
 * draft), is proposed, together with those that went down about when it did. A proposal is dropped once none of its
 * components is down and unspoken of; one that a person edited is theirs, and stays. What a person deleted is not
 * proposed again until it was up.
 */
import type { Incident, Maintenance } from "../status/Model.ts"
import type { ComponentStatus, Severity } from "../status/Vocabulary.ts"

/** What was last seen of a declared component. Unit of times: milliseconds since 1970. */
export interface ObservedComponent {
  readonly id: string
  readonly status: ComponentStatus
  readonly since: number
  readonly checkedAt: number
}

export interface Draft {
  readonly id: string
  readonly components: ReadonlyArray<string>
  /** Null: a person's. */
  readonly proposed_for: string | null
}

export interface Situation {
  /** Unit of this and the next three: milliseconds. */
  readonly now: number
  /** How long a component is down before it is proposed. */
  readonly after: number
  /** How far apart components may go down that are proposed as one. */
  readonly together: number
  /** How long a check speaks for its component: what was not looked at for longer is neither down nor up. */
  readonly freshFor: number
  readonly components: ReadonlyArray<ObservedComponent>
  /** Of the file and published ones. */
  readonly incidents: ReadonlyArray<Incident>
  readonly maintenance: ReadonlyArray<Maintenance>
  readonly drafts: ReadonlyArray<Draft>
  /** Components whose draft a person deleted. */
  readonly dismissed: ReadonlySet<string>
  /** Of the decision before: when components went down, from whatever down to whatever down. */
  readonly downSince: ReadonlyMap<string, number>
}

export interface Proposal {
  /** In the order of the declarations. */
  readonly components: ReadonlyArray<string>
  readonly severity: Severity
  /** When the first went down. */
  readonly since: number
}

export interface Decision {
  readonly propose: ReadonlyArray<Proposal>
  readonly withdraw: ReadonlyArray<{ readonly id: string; readonly reason: "recovered" | "covered" }>
  /** Dismissed ones that are up: a new outage of theirs is proposed again. */
  readonly forget: ReadonlyArray<string>
  /** For the decision after. */
  readonly downSince: ReadonlyMap<string, number>
}

export const decide = (situation: Situation): Decision => {
  const { after, components, dismissed, drafts, freshFor, now, together } = situation
  const fresh = components.filter(({ checkedAt }) => now - checkedAt <= freshFor)
  const down = fresh.filter(isDown)
  const up = new Set(fresh.filter(isUp).map(({ id }) => id))
  // A check that comes late does not make a component less long down.
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
 * Components of which people are told already, or were until a moment ago: who has just called it over need not hear of
 * it at once.
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
