/** Table of active bans. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { DecisionView } from "./Api.ts"
import type { sources } from "./Fields.ts"
import { shownRange } from "./ShownRange.ts"

export type SourceName = (typeof sources)[number]

export interface DecisionRow {
  readonly id: number
  readonly source: SourceName
  readonly origin: string
  readonly rule: string
  /** As Postgres writes a `cidr`: `192.0.2.7/32`. */
  readonly address: string
  readonly since: Date
  readonly until: Date
  readonly reason: string | null
  readonly exempted_until: Date | null
}

export interface Filter {
  readonly address?: string | undefined
  readonly source?: SourceName | undefined
  readonly rule?: string | undefined
}

/** Condition of a list. Addresses match when they overlap. */
export const matching = (sql: SqlClient.SqlClient, { address, rule, source }: Filter) =>
  sql.and([
    sql`true`,
    ...(address === undefined ? [] : [sql`address && ${address}::inet`]),
    ...(source === undefined ? [] : [sql`source = ${source}`]),
    ...(rule === undefined ? [] : [sql`rule = ${rule}`])
  ])

const columns = (sql: SqlClient.SqlClient) => sql`id, source, origin, rule, address::text as address, since, until,
  reason, (select max(e.until) from watchdog.exemption e where e.until > now() and e.address && d.address)
    as exempted_until`

/** Active bans, newest first, at most `limit`. `crowdsec`: whether CrowdSec's are shown. */
export const list = Effect.fnUntraced(function* (
  filter: Filter,
  crowdsec: boolean,
  before: number | undefined,
  limit: number
) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<DecisionRow>`select ${columns(sql)} from watchdog.decision d
    where until > now() and ${matching(sql, filter)} and ${crowdsec ? sql`true` : sql`source = 'own'`}
      and ${before === undefined ? sql`true` : sql`id < ${before}`}
    order by id desc limit ${limit}`
})

/** An active ban; undefined when there is none with this id. */
export const find = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<DecisionRow>`select ${columns(sql)} from watchdog.decision d
    where id = ${id} and until > now()`
  return row
})

/** Active bans of exactly this address, by source. */
export const ofAddress = Effect.fnUntraced(function* (address: string) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<{ id: number; source: SourceName; key: string }>`select id, source, key from watchdog.decision
    where address = ${address}::cidr and until > now()`
})

export interface OwnBan {
  readonly address: string
  readonly origin: string
  readonly rule: string
  readonly since: Date
  readonly until: Date
  readonly reason: string | null
  readonly eventId: bigint
}

/** Stores a ban of ours, unless a later event about the address was stored. A new ban gets a new id. */
export const putOwn = Effect.fnUntraced(function* ({ address, eventId, origin, reason, rule, since, until }: OwnBan) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ id: number }>`
    insert into watchdog.decision as known (source, key, origin, rule, address, since, until, reason, event_id)
    values ('own', ${address}, ${origin}, ${rule}, ${address}::cidr, ${since}, ${until}, ${reason}, ${eventId})
    on conflict (source, key) do update set origin = excluded.origin, rule = excluded.rule, since = excluded.since,
        until = excluded.until, reason = excluded.reason, event_id = excluded.event_id
      where known.event_id <= excluded.event_id
    returning id`
  return row?.id
})

/** Stores a ban that is about to be announced, with the event id of the known row. The event replaces it. */
export const putManual = Effect.fnUntraced(function* (ban: Omit<OwnBan, "eventId">) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ id: number }>`
    insert into watchdog.decision (source, key, origin, rule, address, since, until, reason, event_id)
    values ('own', ${ban.address}, ${ban.origin}, ${ban.rule}, ${ban.address}::cidr, ${ban.since}, ${ban.until},
      ${ban.reason}, 0)
    on conflict (source, key) do update set origin = excluded.origin, rule = excluded.rule, since = excluded.since,
      until = excluded.until, reason = excluded.reason
    returning id`
  return row!.id
})

/** Ends our ban of the address. Without a ban it stores an ended one, for events that are read again. */
export const endOwn = Effect.fnUntraced(function* (address: string, at: Date, eventId: bigint) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    insert into watchdog.decision as known (source, key, origin, rule, address, since, until, event_id)
    values ('own', ${address}, '', 'lifted', ${address}::cidr, ${at}, ${at}, ${eventId})
    on conflict (source, key) do update set until = least(known.until, excluded.until), event_id = excluded.event_id
      where known.event_id <= excluded.event_id`
})

/** Removes rows at once, before the events about them arrive. Returns their number. */
export const remove = Effect.fnUntraced(function* (ids: ReadonlyArray<number>) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`update watchdog.decision set until = now() where id = any(${ids}::int[]) and source = 'own'`
  yield* sql`delete from watchdog.decision where id = any(${ids}::int[]) and source = 'crowdsec'`
})

/** How long ended bans of ours are kept, for events that are read again. Unit: days. */
const remembered = 1

export const prune = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`delete from watchdog.decision where until < now() - make_interval(days => ${remembered})`
})

export const view = (
  { address, exempted_until, id, origin, reason, rule, since, source, until }: DecisionRow,
  crowdsecIsAway: boolean
): typeof DecisionView.Type => ({
  id,
  source,
  origin,
  rule,
  address: shownRange(address),
  since: since.toISOString(),
  until: until.toISOString(),
  reason,
  exempted_until: exempted_until?.toISOString() ?? null,
  stale: source === "crowdsec" && crowdsecIsAway
})
