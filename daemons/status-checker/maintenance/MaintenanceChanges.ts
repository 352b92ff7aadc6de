/**
 * Changes of maintenance windows and their rules. Each change runs in the surrounding transaction, writes the audit log
 * and notifies all processes.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { providerTenant } from "#core/auth/Caller.ts"
import { MaintenanceChanged } from "#core/contracts/Status.ts"
import { Events } from "#core/events/Events.ts"
import type { FieldProblem } from "#core/http/Problem.ts"
import { InvalidRequest } from "#core/http/Problem.ts"
import { type Author, differences, requireComponents, recordChange } from "../status/AdminChange.ts"
import type { DeclaredIds } from "../status-files/Exports.ts"
import { idFor } from "../status/Ids.ts"
import { ChangedSince, IdTaken } from "../status/AdminErrors.ts"
import { MaintenanceOver, noSuchMaintenance } from "./Errors.ts"
import { type StoredMaintenance, windows } from "./Store.ts"

/** Longest window. Unit: days. Reason: a longer window would hide outages from the uptime. */
export const maxWindow = 14

/** Latest start of a window from now. Unit: days. Reason: two years; catches a wrong year. */
export const maxAhead = 730

export interface Window {
  readonly title: string
  readonly title_en: string
  readonly message: string
  readonly message_en: string
  readonly components: ReadonlyArray<string>
  readonly starts_at: string
  readonly ends_at: string
}

const day = 86_400_000

/** Problems of the times, by field. Pure. */
export const timeProblems = (
  { ends_at, starts_at }: Pick<Window, "starts_at" | "ends_at">,
  now: number
): ReadonlyArray<FieldProblem> => {
  const start = Date.parse(starts_at)
  const end = Date.parse(ends_at)
  const wrong = (field: string, message: string) => [{ field: `payload.${field}`, message }]
  if (end <= start) return wrong("ends_at", "must be after starts_at")
  if (end > start + maxWindow * day) return wrong("ends_at", `must be at most ${maxWindow} days after starts_at`)
  if (start > now + maxAhead * day) return wrong("starts_at", `must be within ${maxAhead} days`)
  return end <= now ? wrong("ends_at", "must lie in the future") : []
}

/** Emits the window as it is after a change. */
const emitChanged = ({ cancelled_at, components, ends_at, id, starts_at, title, title_en }: StoredMaintenance) =>
  Effect.flatMap(Events, (events) =>
    events.emit(
      MaintenanceChanged,
      "status-checker",
      {
        maintenance_id: id,
        title,
        title_en,
        components,
        state: cancelled_at === null ? "announced" : "cancelled",
        starts_at,
        ends_at
      },
      { tenantId: providerTenant }
    )
  )

const checkTimes = (window: Window) =>
  Effect.suspend(() => {
    const errors = timeProblems(window, Date.now())
    return errors.length === 0 ? Effect.void : Effect.fail(new InvalidRequest({ errors }))
  })

const get = Effect.fnUntraced(function* (id: string) {
  const sql = yield* SqlClient.SqlClient
  const [found] = yield* windows(sql`where id = ${id} for update`)
  return found ?? (yield* noSuchMaintenance)
})

/** Window that is neither over nor cancelled, locked until the transaction ends. */
const changeable = Effect.fnUntraced(function* (id: string) {
  const row = yield* get(id)
  if (row.cancelled_at !== null) return yield* new MaintenanceOver({ detail: "It was cancelled: plan a new one." })
  if (Date.parse(row.ends_at) <= Date.now())
    return yield* new MaintenanceOver({ detail: "It is over: plan a new one." })
  return row
})

export const plan = Effect.fnUntraced(function* (
  { id: given, ...window }: Window & { readonly id?: string | undefined },
  declared: DeclaredIds,
  by: Author
) {
  const sql = yield* SqlClient.SqlClient
  yield* checkTimes(window)
  yield* requireComponents(window.components, declared.components)
  const { components, ends_at, message, message_en, starts_at, title, title_en } = window
  const now = new Date()
  const taken = new Set<string>()
  let id: string | undefined
  while (id === undefined) {
    const wanted = given ?? idFor(new Date(starts_at), title_en, (id) => taken.has(id))
    const made =
      yield* sql`insert into status_checker.maintenance (id, title, title_en, message, message_en, components,
        starts_at, ends_at, created_at, updated_at)
      values (${wanted}, ${title}, ${title_en}, ${message}, ${message_en}, ${components}::text[],
      ${new Date(starts_at)}, ${new Date(ends_at)}, ${now}, ${now})
      on conflict (id) do nothing returning 1`
    if (made.length > 0) id = wanted
    else if (given !== undefined) return yield* new IdTaken({ detail: "Choose another id, or leave it out." })
    else taken.add(wanted)
  }
  yield* recordChange(by, "maintenance", id, "planned", { title, components, starts_at, ends_at })
  const made = yield* Effect.catchTag(get(id), "NotFound", Effect.die)
  yield* emitChanged(made)
  return made
})

export const edit = Effect.fnUntraced(function* (
  id: string,
  { updated_at, ...to }: Partial<Window> & { readonly updated_at?: string },
  declared: DeclaredIds,
  by: Author
) {
  const sql = yield* SqlClient.SqlClient
  const before = yield* changeable(id)
  if (updated_at !== undefined && Date.parse(updated_at) !== Date.parse(before.updated_at)) {
    return yield* new ChangedSince({
      updated_at: before.updated_at,
      detail: "Read it again, and send the new updated_at."
    })
  }
  const after = { ...before, ...to }
  after.starts_at = new Date(after.starts_at).toISOString()
  after.ends_at = new Date(after.ends_at).toISOString()
  const found = differences(before, after, [
    "title",
    "title_en",
    "message",
    "message_en",
    "components",
    "starts_at",
    "ends_at"
  ])
  if (found === undefined) return before
  yield* checkTimes(after)
  yield* requireComponents(after.components, declared.components, before.components)
  yield* sql`update status_checker.maintenance set title = ${after.title}, title_en = ${after.title_en},
    message = ${after.message}, message_en = ${after.message_en},
    components = ${after.components}::text[], starts_at = ${new Date(after.starts_at)},
    ends_at = ${new Date(after.ends_at)},
    updated_at = greatest(date_trunc('milliseconds', clock_timestamp()), updated_at + interval '1 millisecond')
    where id = ${id}`
  yield* recordChange(by, "maintenance", id, "changed", found)
  const changed = yield* get(id)
  yield* emitChanged(changed)
  return changed
})

/** Cancels a window, active or planned; its components are measured again. */
export const cancel = Effect.fnUntraced(function* (id: string, by: Author) {
  const sql = yield* SqlClient.SqlClient
  const window = yield* changeable(id)
  yield* sql`update status_checker.maintenance set cancelled_at = now(), updated_at = date_trunc('milliseconds',
    clock_timestamp()) where id = ${id}`
  yield* recordChange(by, "maintenance", id, "cancelled", { title: window.title })
  yield* emitChanged({ ...window, cancelled_at: new Date().toISOString() })
})
