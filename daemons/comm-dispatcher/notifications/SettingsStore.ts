/** Delivery settings of users. Runs in the surrounding transaction with its role. */
import { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { type TellingSettings, usualSettings } from "./DeliveryTime.ts"

/** A user: the time zone of the account, and the chosen settings, null without a choice. */
interface Row {
  readonly user_id: number
  readonly time_zone: string | null
  readonly chosen: TellingSettings | null
}

/** Reads the settings of these users. Users without a choice get the defaults, in the time zone of their account. */
export const read = Effect.fnUntraced(function* (users: ReadonlyArray<number>) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<Row>`select u.user_id, m.time_zone, case when s.user_id is not null then
      jsonb_build_object('zone', s.zone, 'quiet', s.quiet, 'digest', s.digest, 'digest_at', s.digest_at) end as chosen
    from unnest(${users}::int[]) as u (user_id)
    left join comm_dispatcher.member m on m.user_id = u.user_id
    left join comm_dispatcher.notification_setting s on s.user_id = u.user_id`
  const byUser = new Map(rows.map((row) => [row.user_id, row]))
  return (user: number): TellingSettings => {
    const { chosen = null, time_zone = null } = byUser.get(user) ?? {}
    return chosen ?? { ...usualSettings, zone: time_zone ?? usualSettings.zone }
  }
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
