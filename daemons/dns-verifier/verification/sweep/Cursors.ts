/** Stored progress of each shard. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { ShardProgress } from "./Rounds.ts"

export const read = Effect.fnUntraced(function* (shard: number) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{
    check_every: number
    checked_until: number
  }>`select check_every, checked_until from dns_verifier.sweep where shard = ${shard}`
  return new Map(rows.map(({ check_every, checked_until }) => [check_every, checked_until])) as ShardProgress
})

export const write = Effect.fnUntraced(function* (shard: number, progress: ShardProgress) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`insert into dns_verifier.sweep (shard, check_every, checked_until)
    select ${shard}, p."every", p."until" from
    jsonb_to_recordset(${JSON.stringify([...progress].map(([every, until]) => ({ every, until })))}::jsonb) as p
    ("every" int, "until" float8)
    on conflict (shard, check_every) do update set checked_until = excluded.checked_until`
})
