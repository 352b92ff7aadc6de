/**
 * Proposes incidents and drops proposals, again and again, and tells whoever runs the platform. Placed: one process in
 * the fleet proposes.
 */
import { Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { providerTenant } from "#core/auth/Caller.ts"
import { NotificationWanted } from "#core/contracts/Notifications.ts"
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

/** Longest wait between two looks. Unit: milliseconds. Reason: it adds to how late a proposal comes. */
const lookInterval = 15_000

/**
 * Least distance in which two outages count as one. Unit: milliseconds. Reason: a round of checks takes its interval to
 * see both.
 */
const leastTogether = 300_000

/** Checks that may be missing before a component counts as not looked at. As for what is shown (Publication). */
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
        look(
          {
            after: proposeAfter * 1000,
            together: Math.max(leastTogether, checkInterval * 1000),
            freshFor: missedChecks * checkInterval * 1000
          },
          downSince
        )
      )
      yield* wakeup.wait(interval)
      // A storm of changes is looked at once.
      yield* Effect.sleep(Duration.millis(100))
    }
  })
})

/** One look, in the surrounding transaction. Answers what to remember. */
const look = Effect.fnUntraced(function* (
  times: { readonly after: number; readonly together: number; readonly freshFor: number },
  downSince: Decision["downSince"]
) {
  const sql = yield* SqlClient.SqlClient
  const files = yield* StatusFiles
  // While a place changes hands there may be two of us.
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

/** Source: core/contracts/Notifications. Unit: UTF-16 units. */
const maxTitle = 255

/** In both languages: who reads it is not known here. */
const notify = Effect.fnUntraced(function* ({ components, id, number, title, title_en, updates }: StoredIncident) {
  const jobs = yield* Jobs
  // Author number: a draft that was withdrawn leaves its id to the next.
  const key = `status.incident.proposed:${number}`
  const [said] = updates
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
          title: `${title} / ${title_en}`.slice(0, maxTitle),
          body: [
            `${said!.message}\nEin Entwurf für die Statusseite liegt bereit und wartet darauf, dass ihn jemand veröffentlicht: signalbox status incident publish ${id}`,
            `${said!.message_en}\nA draft for the status page waits for somebody to publish it: signalbox status incident publish ${id}`
          ].join("\n\n"),
          icon: "activity",
          data: { incident_id: id, components },
          entity_type: "incident"
        }
      }
    }
  ])
})
