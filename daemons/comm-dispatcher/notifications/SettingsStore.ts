/** Delivery settings of users. Runs in the surrounding transaction with its role. */
import { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { type TellingSettings, usualSettings } from "./DeliveryTime.ts"

/** Reads the settings of these users. Users without a choice get the defaults. */
export const read = Effect.fnUntraced(function* (users: ReadonlyArray<number>) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<TellingSettings & { readonly user_id: number }>`select user_id, zone, quiet, digest, digest_at
    from comm_dispatcher.notification_setting where user_id = any(${users}::int[])`
  const chosen = new Map(rows.map(({ user_id, ...settings }) => [user_id, settings]))
  return (user: number): TellingSettings => chosen.get(user) ?? usualSettings
})

/** Replaces the user's settings. */
export const write = Effect.fnUntraced(function* (
  owner: { readonly userId: number; readonly tenantId: number },
  { digest, digest_at, quiet, zone }: TellingSettings
) {
  const sql = yield* SqlClient.SqlClient
  const pg = yield* PgClient.PgClient
  yield* sql`insert into comm_dispatcher.notification_setting (user_id, tenant_id, zone, quiet, digest, digest_at)
    values (${owner.userId}, ${owner.tenantId}, ${zone}, ${quiet === null ? null : pg.json(quiet)}, ${digest},
      ${digest_at})
    on conflict (user_id) do update set zone = excluded.zone, quiet = excluded.quiet, digest = excluded.digest,
      digest_at = excluded.digest_at`
})
