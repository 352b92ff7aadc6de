/** Changes of components of the database. Runs in the surrounding transaction. */
import { PgClient } from "@effect/sql-pg"
import { Effect, Result } from "effect"
import { SqlClient } from "effect/sql"
import { NotFound } from "#core/http/Problem.ts"
import { decodeServices, maxComponents, type StoredRow, storedRows } from "../status-files/Exports.ts"
import { type Author, differences, invalid, recordChange } from "../status/AdminChange.ts"
import { IdTaken } from "../status/AdminErrors.ts"
import { TooManyComponents } from "./Errors.ts"

export interface Wanted {
  readonly name: string
  readonly name_en: string
  readonly group?: string | null | undefined
  readonly group_en?: string | null | undefined
  readonly checks: StoredRow["checks"]
}

/** Decodes checks as SERVICES_FILE does; a problem names the field of the request. */
export const decoded = (checks: StoredRow["checks"]) =>
  Effect.mapError(
    Effect.fromResult(
      Result.map(decodeServices([{ id: "x", name: "x", name_en: "x", checks }]), ({ value }) => value[0]!)
    ),
    (problem) => {
      const [, field = "checks", message = problem] = /^\[0\]\.(\S+) (.*)$/s.exec(problem) ?? []
      return invalid(`payload.${field}`, message)
    }
  )

/** Serialises changes, so that the limit holds. */
const inTurn = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`select pg_advisory_xact_lock(hashtextextended('status_checker.component', 0))`
)

const one = Effect.fnUntraced(function* (id: string) {
  const row = (yield* storedRows).find((row) => row.id === id)
  return row === undefined ? yield* new NotFound({ detail: "There is no such component." }) : row
})

const rowOf = (id: string, { checks, group, group_en, name, name_en }: Wanted): StoredRow => ({
  id,
  name,
  name_en,
  group: group ?? null,
  group_en: group_en ?? null,
  checks
})

/** Adds a component. `declared`: ids of SERVICES_FILE. */
export const create = Effect.fnUntraced(function* (
  id: string,
  wanted: Wanted,
  declared: ReadonlySet<string>,
  by: Author
) {
  const sql = yield* SqlClient.SqlClient
  const pg = yield* PgClient.PgClient
  yield* decoded(wanted.checks)
  yield* inTurn
  if (declared.size + (yield* storedRows).length >= maxComponents)
    return yield* new TooManyComponents({ detail: `At most ${maxComponents} are allowed.` })
  const row = rowOf(id, wanted)
  const made = declared.has(id)
    ? []
    : yield* sql`insert into status_checker.component (id, name, name_en, group_name, group_en, checks)
        values (${id}, ${row.name}, ${row.name_en}, ${row.group}, ${row.group_en}, ${pg.json(row.checks)})
        on conflict (id) do nothing returning 1`
  if (made.length === 0) return yield* new IdTaken({ detail: "Choose another id." })
  yield* recordChange(by, "component", id, "created", { name: row.name_en })
  return row
})

const kindsOf = (checks: StoredRow["checks"]) => checks.map(({ type }) => type)

export const change = Effect.fnUntraced(function* (id: string, wanted: Wanted, by: Author) {
  const sql = yield* SqlClient.SqlClient
  const pg = yield* PgClient.PgClient
  yield* decoded(wanted.checks)
  yield* inTurn
  const before = yield* one(id)
  const row = rowOf(id, wanted)
  const found = differences(before, row, ["name", "name_en", "group", "group_en", "checks"])
  if (found === undefined) return row
  yield* sql`update status_checker.component set name = ${row.name}, name_en = ${row.name_en},
    group_name = ${row.group}, group_en = ${row.group_en}, checks = ${pg.json(row.checks)}, updated_at = now()
    where id = ${id}`
  // Addresses of checks may hold secrets in their query, so the audit log gets the kinds only.
  const checks = { from: kindsOf(before.checks), to: kindsOf(row.checks) }
  yield* recordChange(by, "component", id, "changed", "checks" in found ? { ...found, checks } : found)
  return row
})

/**
 * Deletes a component with its state and its response times, and removes it from the choices of subscribers. A
 * subscriber who chose nothing else is deleted, because an empty choice would mean all components. The daily history
 * stays until it is 90 days old. `isDeclared`: SERVICES_FILE has a component with this id too. Then only the row of the
 * component is deleted.
 */
export const remove = Effect.fnUntraced(function* (id: string, isDeclared: boolean, by: Author) {
  const sql = yield* SqlClient.SqlClient
  yield* inTurn
  const { name_en } = yield* one(id)
  yield* sql`delete from status_checker.component where id = ${id}`
  if (!isDeclared) yield* forget(id)
  yield* recordChange(by, "component", id, "removed", { name: name_en })
})

const forget = Effect.fnUntraced(function* (id: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`delete from status_checker.component_state where component_id = ${id}`
  yield* sql`delete from status_checker.response_time where component_id = ${id}`
  yield* sql`delete from status_checker.dismissed where component_id = ${id}`
  // Subscribers before confirmations, in the order of every other change, which avoids deadlocks. Where a new choice
  // waits for its confirmation, the subscriber stays.
  yield* sql`delete from status_checker.subscribers s where components = array[${id}::text] and not exists
    (select from status_checker.confirmations c where c.subscriber_id = s.id and c.used_at is null
      and c.expires_at > now() and c.components is distinct from array[${id}::text])`
  yield* sql`update status_checker.subscribers set components = array_remove(components, ${id}::text)
    where ${id}::text = any (components) and components <> array[${id}::text]`
  yield* sql`delete from status_checker.confirmations where components = array[${id}::text]`
  yield* sql`update status_checker.confirmations set components = array_remove(components, ${id}::text)
    where ${id}::text = any (components)`
})
