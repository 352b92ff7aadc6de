/**
 * What users chose, in the table of settings: scope `user`, scope id the user's number (interface document 3 §2.6).
 * Runs in the surrounding transaction with the role it has.
 */
import { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { type Preferences, preferenceKeys } from "./Api.ts"

export type Chosen = Partial<typeof Preferences.Type>

/** What holds where nothing was chosen. */
const unset: typeof Preferences.Type = { mail_handler: "ask", call_handler: "ask" }

/** All of them, with what holds where nothing was chosen. */
export const read = Effect.fnUntraced(function* (userId: number) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ key: string; value: string }>`select key, value #>> '{}' as value from identity.setting
    where scope = 'user' and scope_id = ${String(userId)}`
  return {
    ...unset,
    ...Object.fromEntries(
      rows.filter(({ key }) => preferenceKeys.some((known) => known === key)).map(({ key, value }) => [key, value])
    )
  } as typeof unset
})

/** Writes what is named; answers the keys whose value is another than before. */
export const write = Effect.fnUntraced(function* (
  owner: { readonly id: number; readonly tenantId: number },
  chosen: Chosen
) {
  const sql = yield* SqlClient.SqlClient
  const pg = yield* PgClient.PgClient
  const before = yield* read(owner.id)
  const changed = preferenceKeys.filter((key) => chosen[key] !== undefined && chosen[key] !== before[key])
  yield* Effect.forEach(
    changed,
    (key) =>
      sql`insert into identity.setting (tenant_id, scope, scope_id, key, value)
      values (${owner.tenantId}, 'user', ${String(owner.id)}, ${key}, ${pg.json(chosen[key]!)})
      on conflict (scope, scope_id, key) do update set value = excluded.value, updated_at = now()`
  )
  return changed
})
