/** Deletion of old events. */
import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { tombstoneDays } from "../contracts/StateEvents.ts"

/**
 * Deletes events older than `days` that every consumer has passed; returns their number. The newest event about the
 * state of a thing stays, for readers that start later; that of a deleted thing for `tombstoneDays`.
 */
export const prune = (days: number): Effect.Effect<number, SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [gone] = yield* sql<{ n: number }>`with gone as (
        delete from core.event e
          where e.at < now() - make_interval(days => ${days})
            and not exists (select 1 from core.event_cursor c where (c.xid, c.id) < (e.xid, e.id)
              and c.moved_at > now() - make_interval(days => ${days}))
            and (core.state_key(e.type, e.data) is null
              or exists (select 1 from core.event n
                where core.state_key(n.type, n.data) = core.state_key(e.type, e.data) and (n.xid, n.id) > (e.xid, e.id))
              or (e.data->>'state' = 'deleted' and e.at < now() - make_interval(days => ${tombstoneDays})))
          returning e.xid, e.id),
      last as (select xid, id from gone order by xid desc, id desc limit 1),
      noted as (insert into core.event_floor as f (xid, id) select xid, id from last
        on conflict (one) do update set xid = excluded.xid, id = excluded.id
          where (f.xid, f.id) < (excluded.xid, excluded.id))
      select count(*)::int as n from gone`
    return gone!.n
  })
