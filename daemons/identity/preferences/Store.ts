/**
 * Preferences of users in the settings table: scope `user`, scope id is the user's id (interface document 3 §2.6). Runs
 * in the surrounding transaction with its role.
 */
import { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { type Preferences, preferenceKeys } from "./Api.ts"

export type PreferenceChanges = Partial<typeof Preferences.Type>

/** Defaults of preferences that were never set. */
const defaults: typeof Preferences.Type = { mail_handler: "ask", call_handler: "ask" }

/** All preferences, with defaults for those that were never set. */
export const read = Effect.fnUntraced(function* (userId: number) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ key: string; value: string }>`select key, value #>> '{}' as value from identity.setting
    where scope = 'user' and scope_id = ${String(userId)}`
  return {
    ...defaults,
    ...Object.fromEntries(
      rows.filter(({ key }) => preferenceKeys.some((known) => known === key)).map(({ key, value }) => [key, value])
    )
  } as typeof defaults
})

/** Writes the given preferences. Returns the keys whose value changed. */
export const write = Effect.fnUntraced(function* (
  owner: { readonly id: number; readonly tenantId: number },
  changes: PreferenceChanges
) {
  const sql = yield* SqlClient.SqlClient
  const pg = yield* PgClient.PgClient
  const before = yield* read(owner.id)
  const changed = preferenceKeys.filter((key) => changes[key] !== undefined && changes[key] !== before[key])
  yield* Effect.forEach(
    changed,
    (key) =>
      sql`insert into identity.setting (tenant_id, scope, scope_id, key, value)
      values (${owner.tenantId}, 'user', ${String(owner.id)}, ${key}, ${pg.json(changes[key]!)})
      on conflict (scope, scope_id, key) do update set value = excluded.value, updated_at = now()`
  )
  return changed
})
