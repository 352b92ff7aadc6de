/** CrowdSec's decisions as rows. */
import { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Alert } from "#protocols/crowdsec/Answer.ts"
import type { Kept } from "./CrowdSecList.ts"

/** Replaces the list. A decision that is known keeps its id and its beginning. */
export const replace = Effect.fnUntraced(function* (bans: ReadonlyArray<Kept>) {
  const sql = yield* SqlClient.SqlClient
  const pg = yield* PgClient.PgClient
  const rows = bans.map(({ until, ...ban }) => ({ ...ban, until: new Date(until).toISOString() }))
  yield* sql`with listed as (
      select * from jsonb_to_recordset(${pg.json(rows)}::jsonb)
        as l (key text, origin text, rule text, address text, until timestamptz)),
    gone as (
      delete from watchdog.decision d
      where source = 'crowdsec' and not exists (select 1 from listed l where l.key = d.key))
    insert into watchdog.decision (source, key, origin, rule, address, since, until)
    select 'crowdsec', key, origin, rule, address::cidr, now(), until from listed l
    where not exists (select 1 from watchdog.decision d where d.source = 'crowdsec' and d.key = l.key)
    order by key::bigint on conflict do nothing`
})

/** Sets the beginning of decisions to the time of their alert. */
export const dateFrom = Effect.fnUntraced(function* (alerts: ReadonlyArray<Alert>) {
  const rows = alerts.flatMap(({ createdAt, decisions }) =>
    decisions.map((id) => ({ key: String(id), at: new Date(createdAt).toISOString() }))
  )
  if (rows.length === 0) return
  const sql = yield* SqlClient.SqlClient
  const pg = yield* PgClient.PgClient
  yield* sql`update watchdog.decision d set since = l.at
    from jsonb_to_recordset(${pg.json(rows)}::jsonb) as l (key text, at timestamptz)
    where d.source = 'crowdsec' and d.key = l.key and d.since <> l.at`
})

/** Decisions inside an exempt range, at most `limit`. */
export const exempt = Effect.fnUntraced(function* (limit: number) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<{ id: number; key: string; address: string }>`select d.id, d.key, d.address::text as address
    from watchdog.exemption e join watchdog.decision d on d.address <<= e.address
    where e.until > now() and d.source = 'crowdsec' and d.until > now() limit ${limit}`
})

/** Bans for the firewall: those of CrowdSec that overlap no exemption. */
export const standing = Effect.fnUntraced(function* (limit: number) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<{ address: string; until: number }>`
    select address::text as address, extract(epoch from until)::float8 * 1000 as until
    from watchdog.decision where source = 'crowdsec' and until > now() and address not in (
      select d.address from watchdog.exemption e join watchdog.decision d on d.address && e.address
      where e.until > now())
    order by until desc limit ${limit}`
})

/** Removes a row, after CrowdSec lifted the decision. */
export const forget = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`delete from watchdog.decision where id = ${id} and source = 'crowdsec'`
})
