/**
 * Changes of incidents and their rules. Each change runs in the surrounding transaction, writes the audit log and
 * notifies all processes.
 *
 * Drafts are invisible to the public; a person publishes or deletes them. A published incident is never withdrawn,
 * because subscribers were notified: it is resolved, and its texts can be corrected without a new notice.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { providerTenant } from "#core/auth/Caller.ts"
import { IncidentProposed, IncidentPublished, IncidentResolved, IncidentUpdated } from "#core/contracts/Status.ts"
import { Events } from "#core/events/Events.ts"
import type { IncidentStatus, Severity } from "../status/Vocabulary.ts"
import { source } from "../status/Model.ts"
import { type Author, differences, requireComponents, recordChange } from "../status/AdminChange.ts"
import type { DeclaredIds } from "../status-files/Exports.ts"
import { idFor } from "../status/Ids.ts"
import { ChangedSince, IdTaken } from "../status/AdminErrors.ts"
import { AlreadyPublished, AlreadyResolved, noSuchIncident, NotPublished } from "./Errors.ts"
import { incidents, type StoredIncident } from "./Store.ts"
import { after, timestampAfter } from "./Transitions.ts"

export interface NewIncident {
  /** Default: generated from day and title. An id of INCIDENTS_FILE is merged with that incident. */
  readonly id?: string | undefined
  readonly title: string
  readonly title_en: string
  readonly severity: Severity
  readonly status: IncidentStatus
  readonly components: ReadonlyArray<string>
  readonly message: string
  readonly message_en: string
  /** Start of the incident. Default: now. */
  readonly created_at?: Date | undefined
  readonly proposed_for?: string | undefined
}

/** Incident locked until the transaction ends, draft or published; 404 when there is none. */
const locked = Effect.fnUntraced(function* (id: string) {
  const sql = yield* SqlClient.SqlClient
  const [found] = yield* incidents(sql`where id = ${id} for update of i`)
  return found ?? (yield* noSuchIncident)
})

/** Incident, draft or published; 404 when there is none. */
export const get = Effect.fnUntraced(function* (id: string) {
  const sql = yield* SqlClient.SqlClient
  const [found] = yield* incidents(sql`where id = ${id}`)
  return found ?? (yield* noSuchIncident)
})

/** Creates a draft. */
export const create = Effect.fnUntraced(function* (incident: NewIncident, declared: DeclaredIds, by: Author) {
  const sql = yield* SqlClient.SqlClient
  yield* requireComponents(incident.components, declared.components)
  const { components, message, message_en, proposed_for = null, severity, status, title, title_en } = incident
  const now = new Date()
  const taken = new Set(declared.incidents)
  let id: string | undefined
  while (id === undefined) {
    const wanted = incident.id ?? idFor(now, title_en, (id) => taken.has(id))
    const made =
      yield* sql`insert into status_checker.incidents (id, title, title_en, status, severity, components, proposed_for,
        created_at, updated_at)
      values (${wanted}, ${title}, ${title_en}, ${status}, ${severity}, ${components}::text[], ${proposed_for},
      ${incident.created_at ?? now}, ${now})
      on conflict (id) do nothing returning 1`
    if (made.length > 0) id = wanted
    else if (incident.id !== undefined) return yield* new IdTaken({ detail: "Choose another id, or leave it out." })
    else taken.add(wanted)
  }
  yield* sql`insert into status_checker.incident_updates
    ${sql.insert({ incident_id: id, timestamp: now, status, message, message_en })}`
  const row = yield* Effect.catchTag(get(id), "NotFound", Effect.die)
  yield* recordChange(by, "incident", id, proposed_for === null ? "drafted" : "proposed", {
    title,
    severity,
    components
  })
  if (proposed_for !== null) yield* emitEvent(IncidentProposed, row)
  return row
})

export interface Edit {
  readonly title?: string
  readonly title_en?: string
  readonly severity?: Severity
  readonly components?: ReadonlyArray<string>
  /** Message of the newest update; a draft has only one. */
  readonly message?: string
  readonly message_en?: string
  /** Value as it was read; a later change is not overwritten. */
  readonly updated_at?: string
}

/** Edits the texts. An edited proposal counts as a person's draft and stays when the component recovers. */
export const edit = Effect.fnUntraced(function* (
  id: string,
  { updated_at, ...to }: Edit,
  declared: DeclaredIds,
  by: Author
) {
  const sql = yield* SqlClient.SqlClient
  const { updates, ...row } = yield* locked(id)
  if (updated_at !== undefined && Date.parse(updated_at) !== Date.parse(row.updated_at)) {
    return yield* new ChangedSince({
      updated_at: row.updated_at,
      detail: "Read it again, and send the new updated_at."
    })
  }
  const { message, message_en, timestamp } = updates.at(-1)!
  const before = { ...row, message, message_en }
  const after = { ...before, ...to }
  const found = differences(before, after, ["title", "title_en", "severity", "components", "message", "message_en"])
  if (found === undefined) return { ...row, updates }
  if (to.components !== undefined) yield* requireComponents(to.components, declared.components, before.components)
  yield* sql`update status_checker.incidents set title = ${after.title}, title_en = ${after.title_en},
    severity = ${after.severity},
    components = ${after.components}::text[], proposed_for = null, updated_at = ${later(sql)} where id = ${id}`
  yield* sql`update status_checker.incident_updates set message = ${after.message}, message_en = ${after.message_en}
    where incident_id = ${id} and "timestamp" = ${new Date(timestamp)}`
  yield* recordChange(by, "incident", id, "changed", found)
  return yield* get(id)
})

export interface Update {
  readonly status: IncidentStatus
  readonly message: string
  readonly message_en: string
}

/** Adds an update to a published incident. */
export const update = Effect.fnUntraced(function* (id: string, said: Update, by: Author) {
  const row = yield* locked(id)
  if (row.published_at === null)
    return yield* new NotPublished({ detail: "Drafts have no updates: edit it, or publish it first." })
  return yield* addUpdate(row, said, by)
})

/** Adds the update that resolves the incident. */
export const resolve = Effect.fnUntraced(function* (id: string, said: Omit<Update, "status">, by: Author) {
  const row = yield* locked(id)
  if (row.published_at === null)
    return yield* new NotPublished({ detail: "Drafts cannot be resolved: delete it instead." })
  if (row.status === "resolved") return yield* new AlreadyResolved({ detail: "Send an update instead." })
  return yield* addUpdate(row, { status: "resolved", ...said }, by)
})

const addUpdate = Effect.fnUntraced(function* (
  row: StoredIncident,
  { message, message_en, status }: Update,
  by: Author
) {
  const sql = yield* SqlClient.SqlClient
  const timestamp = timestampAfter(row.updates.at(-1)?.timestamp ?? null, new Date())
  const progress = after(row, status, timestamp)
  yield* sql`insert into status_checker.incident_updates
    ${sql.insert({ incident_id: row.id, timestamp: new Date(timestamp), status, message, message_en })}`
  yield* sql`update status_checker.incidents set status = ${progress.status},
    resolved_at = ${dated(progress.resolved_at)}, updated_at = ${later(sql)} where id = ${row.id}`
  const ended = progress.resolved_at !== null && row.resolved_at === null
  yield* recordChange(by, "incident", row.id, ended ? "resolved" : "updated", {
    status: { from: row.status, to: status }
  })
  const now = yield* get(row.id)
  yield* emitEvent(ended ? IncidentResolved : IncidentUpdated, now)
  return now
})

/** Publishes a draft. Its update gets the current time; `created_at` stays the start of the incident. */
export const publish = Effect.fnUntraced(function* (id: string, by: Author) {
  const sql = yield* SqlClient.SqlClient
  const row = yield* locked(id)
  if (row.published_at !== null) return yield* new AlreadyPublished({ detail: "Send an update instead." })
  const now = timestampAfter(null, new Date())
  const { resolved_at } = after({ status: "investigating", resolved_at: null }, row.status, now)
  yield* sql`update status_checker.incident_updates set "timestamp" = ${new Date(now)} where incident_id = ${id}`
  yield* sql`update status_checker.incidents set published_at = ${new Date(now)}, resolved_at = ${dated(resolved_at)},
    proposed_for = null,
    updated_at = ${later(sql)} where id = ${id}`
  yield* recordChange(by, "incident", id, "published", {
    title: row.title,
    severity: row.severity,
    components: row.components
  })
  const published = yield* get(id)
  yield* emitEvent(IncidentPublished, published)
  return published
})

/** Deletes a draft. Components that are still down get no new proposal until they recover. */
export const remove = Effect.fnUntraced(function* (id: string, by: Author) {
  const sql = yield* SqlClient.SqlClient
  const row = yield* locked(id)
  if (row.published_at !== null)
    return yield* new AlreadyPublished({ detail: "Published incidents cannot be deleted: resolve it." })
  yield* sql`delete from status_checker.incidents where id = ${id}`
  yield* sql`insert into status_checker.dismissed (component_id) select component_id from status_checker.component_state
    where component_id = any(${row.components}::text[]) and status in ('partial_outage', 'major_outage')
    on conflict (component_id) do update set at = now()`
  yield* recordChange(by, "incident", id, "deleted", { title: row.title })
})

/** Deletes an unedited proposal whose reason is gone. */
export const withdraw = Effect.fnUntraced(function* (id: string, reason: string, by: Author) {
  const sql = yield* SqlClient.SqlClient
  const gone = yield* sql`delete from status_checker.incidents where id = ${id} and published_at is null
      and proposed_for is not null returning 1`
  if (gone.length > 0) yield* recordChange(by, "incident", id, "withdrawn", { reason })
})

/** Current time in whole milliseconds, later than the previous value. */
const later = (sql: SqlClient.SqlClient) =>
  sql`greatest(date_trunc('milliseconds', clock_timestamp()), updated_at + interval '1 millisecond')`

const dated = (at: string | null): Date | null => (at === null ? null : new Date(at))

const emitEvent = Effect.fnUntraced(function* (
  event: typeof IncidentProposed,
  { components, id, severity, status, title, title_en }: StoredIncident
) {
  yield* (yield* Events).emit(
    event,
    source,
    { incident_id: id, title, title_en, status, severity, components },
    { tenantId: providerTenant }
  )
})
