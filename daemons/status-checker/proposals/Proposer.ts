/**
 * Proposes incidents, deletes outdated proposals and notifies the provider's administrators. Placed: one process of the
 * fleet proposes.
 */
import { Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { providerTenant } from "#core/auth/Caller.ts"
import { NotificationWanted } from "#core/contracts/Notifications.ts"
import { inEveryLanguage } from "#core/words/ChooseLanguage.ts"
import { shippedTexts } from "#core/words/ShippedTexts.ts"
import { messageOf, titleOf } from "../publication/Exports.ts"
import { Jobs } from "#core/jobs/Jobs.ts"
import { transaction } from "#core/sql/Sql.ts"
import { Actor } from "#core/supervision/Supervisor.ts"
import { Wake } from "#core/events/Wake.ts"
import type { ProposalConfig } from "./Settings.ts"
import { StatusFiles } from "../status-files/Exports.ts"
import { topic } from "../status/Model.ts"
import type { ComponentStatus } from "../status/Vocabulary.ts"
import { system } from "../status/AdminChange.ts"
import { IncidentChanges, merge, published, type StoredIncident } from "../incidents/Exports.ts"
import { announced } from "../maintenance/Exports.ts"
import { type Decision, decide, type Draft, type ObservedComponent } from "./ProposalDecision.ts"
import { wordsFor } from "./ProposalWords.ts"

/** Longest interval of looks. Unit: milliseconds. Reason: it delays a proposal. */
const lookInterval = 15_000

/**
 * Least distance within which outages form one proposal. Unit: milliseconds. Reason: a round of checks takes its
 * interval to find both.
 */
const leastTogether = 300_000

/** Checks a component may miss before it counts as stale; same value as in Publication. */
const missedChecks = 3

export const proposer = ({ checkInterval, proposeAfter }: ProposalConfig) => ({
  name: "proposals",
  placed: true,
  run: Effect.gen(function* () {
    const actor = yield* Actor
    const wakeup = yield* (yield* Wake).subscribe(topic)
    const interval = Duration.millis(Math.min(lookInterval, proposeAfter * 500))
    let downSince: Decision["downSince"] = new Map()
    while (true) {
      yield* actor.progress
      downSince = yield* transaction(
        proposeOnce(
          {
            after: proposeAfter * 1000,
            together: Math.max(leastTogether, checkInterval * 1000),
            freshFor: missedChecks * checkInterval * 1000
          },
          downSince
        )
      )
      yield* wakeup.wait(interval)
      // Joins bursts of changes into one look.
      yield* Effect.sleep(Duration.millis(100))
    }
  })
})

/** One look, in the surrounding transaction. Returns the state for the next one. */
const proposeOnce = Effect.fnUntraced(function* (
  times: { readonly after: number; readonly together: number; readonly freshFor: number },
  downSince: Decision["downSince"]
) {
  const sql = yield* SqlClient.SqlClient
  const files = yield* StatusFiles
  // Two processes may run while the actor moves.
  yield* sql`select pg_advisory_xact_lock(hashtext('status_checker.proposals'))`
  const declared = files.components()
  const states = yield* sql<{
    id: string
    status: ComponentStatus
    since: Date
    checked_at: Date
  }>`select component_id as id, status, since, checked_at from status_checker.component_state`
  const byId = new Map(states.map((state) => [state.id, state]))
  const components = declared.flatMap(({ id }): ReadonlyArray<ObservedComponent> => {
    const state = byId.get(id)
    return state === undefined
      ? []
      : [{ id, status: state.status, since: state.since.getTime(), checkedAt: state.checked_at.getTime() }]
  })
  const now = Date.now()
  const decision = decide({
    ...times,
    now,
    components,
    incidents: merge(files.incidents(), yield* published),
    maintenance: yield* announced,
    drafts:
      yield* sql<Draft>`select id, components, proposed_for from status_checker.incidents where published_at is null`,
    dismissed: new Set(
      (yield* sql<{ component_id: string }>`select component_id from status_checker.dismissed`).map(
        ({ component_id }) => component_id
      )
    ),
    downSince
  })
  if (decision.forget.length > 0)
    yield* sql`delete from status_checker.dismissed where component_id = any(${decision.forget}::text[])`
  for (const { id, reason } of decision.withdraw) yield* IncidentChanges.withdraw(id, reason, system)
  for (const { components: ids, severity, since } of decision.propose) {
    const affected = declared
      .filter(({ id }) => ids.includes(id))
      .map((component) => ({ component, status: byId.get(component.id)!.status }))
    yield* notify(
      yield* IncidentChanges.create(
        {
          ...wordsFor(affected, since, now),
          severity,
          status: "investigating",
          components: ids,
          created_at: new Date(since),
          proposed_for: ids[0]
        },
        { components: new Set(ids), incidents: new Set(files.incidents().map(({ id }) => id)) },
        system
      )
    )
  }
  return decision.downSince
})

/** Unit: UTF-16 units. Source: core/contracts/Notifications. */
const maxTitle = 255

const words = shippedTexts("status-checker.proposals", {
  en: { draft: "A draft for the status page waits for somebody to publish it: {command}" },
  de: { draft: "Ein Entwurf für die Statusseite wartet darauf, dass ihn jemand veröffentlicht: {command}" }
})

const notify = Effect.fnUntraced(function* (draft: StoredIncident) {
  const { components, id, number, updates } = draft
  const jobs = yield* Jobs
  // Uses the number, because the id of a deleted draft may be used again.
  const key = `status.incident.proposed:${number}`
  const [said] = updates
  const command = `signalbox status incident publish ${id}`
  const told = inEveryLanguage((language) => ({
    title: titleOf(draft, language).slice(0, maxTitle),
    body: `${messageOf(said!, language)}\n${words(language).draft({ command })}`
  }))
  yield* jobs.send(NotificationWanted, [
    {
      key,
      data: {
        key,
        to: { tenant_admins: providerTenant },
        content: {
          type: "status.incident.proposed",
          category: "system",
          severity: "warning",
          ...told.en,
          icon: "activity",
          data: { incident_id: id, components },
          entity_type: "incident"
        },
        words: told
      }
    }
  ])
})
