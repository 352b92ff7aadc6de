/**
 * The event outbox for external readers. Each reader gets the events that its tenant and user may see, in commit order.
 * The database enforces visibility (the policy on core.event), not the code that forwards events.
 *
 * A position is the last row that a reader has passed. Clients present it when they resume, and it survives restarts.
 */
import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { tenantTransaction } from "../sql/Sql.ts"

/** Rows of one slice over all tenants. Unit: rows. Reason: bounds the memory of one read. */
export const sliceSize = 500

/**
 * Size after which a slice or a reader's page ends; a single event may be longer. Unit: bytes. Reason: bounds memory.
 */
const sliceBytes = 4 * 1024 * 1024
const pageBytes = 1024 * 1024

/** Position after row `id` of transaction `xid`. */
export interface Position {
  readonly xid: bigint
  readonly id: bigint
}

export const compare = (a: Position, b: Position): number =>
  a.xid < b.xid ? -1 : a.xid > b.xid ? 1 : a.id < b.id ? -1 : a.id > b.id ? 1 : 0

/** Form of a position for clients; opaque to them. */
export const positionText = ({ id, xid }: Position): string => `${xid}-${id}`

/** Undefined for a text that is no position. */
export const parsePosition = (text: string): Position | undefined => {
  const parts = /^(\d{1,20})-(\d{1,19})$/.exec(text)
  if (parts === null) return undefined
  const [xid, id] = [BigInt(parts[1]!), BigInt(parts[2]!)]
  // Ranges of xid8 and bigint.
  return xid < 2n ** 64n && id < 2n ** 63n ? { xid, id } : undefined
}

/** An event as a reader gets it. */
export interface FedEvent {
  readonly at: Position
  readonly type: string
  /** Null: operators only. */
  readonly tenantId: number | null
  /** Null: everybody in the tenant. */
  readonly userId: number | null
  /** JSON text. */
  readonly data: string
}

/** Events between two positions. */
export interface Slice {
  readonly from: Position
  /** End of the slice: everything up to it is included. */
  readonly upto: Position
  /** More events exist after this slice. */
  readonly more: boolean
  /** Committed events exist that may not be read yet, because an older transaction is still open. */
  readonly held: boolean
  /** Tenants with events in the slice. */
  readonly tenants: ReadonlyArray<number>
  /** All events, when requested. */
  readonly events: ReadonlyArray<FedEvent>
  readonly empty: boolean
}

type Read<A> = Effect.Effect<A, SqlError.SqlError, SqlClient.SqlClient>

/** Position of a reader that wants only new events. */
export const now: Read<Position> = Effect.map(
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<{ xmin: string }>`select pg_snapshot_xmin(pg_current_snapshot())::text as xmin`
  ),
  ([row]) => ({ xid: BigInt(row!.xmin), id: 0n })
)

/**
 * Whether a reader cannot resume here: events after this position are already deleted, or the position is beyond this
 * database, which was restored to an earlier state.
 */
export const isLost = (from: Position): Read<boolean> =>
  Effect.map(
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) =>
        sql<{
          lost: boolean
        }>`select exists (select 1 from core.event_floor where (xid, id) > (${String(from.xid)}::xid8, ${from.id}))
        or ${String(from.xid)}::xid8 > pg_snapshot_xmax(pg_current_snapshot()) as lost`
    ),
    ([row]) => row!.lost
  )

/**
 * The next slice after `from`. `all` includes its events, for readers that see every tenant; this saves a second query.
 */
export const slice = (from: Position, all: boolean = false): Read<Slice> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql<Sliced>`
      with horizon as materialized (select pg_snapshot_xmin(pg_current_snapshot()) as xmin),
      rows as (select e.xid, e.id, e.tenant_id, e.type, e.user_id, e.data::text as data from core.event e, horizon h
        where (e.xid, e.id) > (${String(from.xid)}::xid8, ${from.id}) and e.xid < h.xmin
        order by e.xid, e.id limit ${sliceSize}),
      sized as (select *, sum(octet_length(data)) over (order by rows.xid, rows.id) as bytes from rows)
      select h.xmin::text as xmin, exists (select 1 from core.event where xid >= h.xmin) as held,
        s.bytes::float8 as bytes, s.tenant_id as tenant, s.id, s.xid::text as xid, s.type, s.user_id as member,
        case when ${all} then s.data end as data
      from horizon h left join sized s on s.bytes - octet_length(s.data) < ${sliceBytes} order by s.xid, s.id`
    const { held, xmin } = rows[0]!
    const events = rows.filter(({ id }) => id !== null)
    const last = events.at(-1)
    const horizon = { xid: BigInt(xmin), id: 0n }
    const more = last !== undefined && (events.length === sliceSize || last.bytes >= sliceBytes)
    const upto = more ? { xid: BigInt(last.xid), id: last.id } : compare(horizon, from) > 0 ? horizon : from
    const tenants = [...new Set(events.flatMap(({ tenant }) => tenant ?? []))]
    return { from, upto, more, held, tenants, events: all ? events.map(fed) : [], empty: last === undefined }
  })

/** A row of a slice. A slice without events has one row with the common columns only. */
interface Sliced extends Row {
  readonly xmin: string
  readonly held: boolean
  /** Size of the slice up to this row. */
  readonly bytes: number
}

interface Row {
  readonly tenant: number | null
  readonly id: bigint
  readonly xid: string
  readonly type: string
  readonly member: number | null
  readonly data: string
}

const fed = ({ data, id, member, tenant, type, xid }: Row): FedEvent => ({
  at: { xid: BigInt(xid), id },
  type,
  tenantId: tenant,
  userId: member,
  data
})

/** Id that no tenant has: the SQL function takes each tenant's role in turn. */
const nobody = 0

/** The part of the slice that each of these tenants may see, in order within a tenant. */
export const forTenants = (
  { from, upto }: Slice,
  tenants: ReadonlyArray<number>
): Effect.Effect<ReadonlyArray<FedEvent>, SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    if (tenants.length === 0) return []
    const sql = yield* SqlClient.SqlClient
    const rows = yield* tenantTransaction(
      nobody,
      sql<Row>`select * from core.events_for(
      string_to_array(${tenants.join(",")}, ',')::int[], ${String(from.xid)}::xid8, ${from.id},
      ${String(upto.xid)}::xid8, ${upto.id})`
    )
    return rows.map(fed)
  })

/** A reader of the outbox; null: a platform caller. */
export type Audience = { readonly tenantId: number; readonly userId: number } | null

/** Runs `effect` in a transaction that hides events this reader may not see. */
export const seenBy = <A, E, R>(
  audience: Audience,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E | SqlError.SqlError, R | SqlClient.SqlClient> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    audience === null
      ? effect
      : tenantTransaction(
          audience.tenantId,
          Effect.andThen(sql`select set_config('app.member', ${String(audience.userId)}, true)`, effect)
        )
  )

/**
 * Events that one reader may see after `from`: at most `most` rows and about `pageBytes`. `upto` is the reader's new
 * position.
 */
export const forOne = (
  audience: Audience,
  from: Position,
  most: number
): Read<{ readonly events: ReadonlyArray<FedEvent>; readonly upto: Position; readonly more: boolean }> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const read = sql<Row>`select tenant, id, xid::text as xid, type, member, data from (
        select *, sum(octet_length(data)) over (order by p.xid, p.id) - octet_length(data) as before from (
          select tenant_id as tenant, id, xid, type, user_id as member, data::text as data
            from core.event e where (e.xid, e.id) > (${String(from.xid)}::xid8, ${from.id})
              and e.xid < pg_snapshot_xmin(pg_current_snapshot())
            order by e.xid, e.id limit ${most}) p) q
      where before < ${pageBytes} order by q.xid, q.id`
    // The horizon is read first. It only grows, so the page misses nothing below it.
    const horizon = yield* now
    const rows = yield* seenBy(audience, read)
    const events = rows.map(fed)
    const more = rows.length === most || rows.reduce((sum, { data }) => sum + Buffer.byteLength(data), 0) >= pageBytes
    const last = events.at(-1)?.at
    const reached = last !== undefined && (more || compare(last, horizon) > 0) ? last : horizon
    return { events, upto: compare(reached, from) > 0 ? reached : from, more }
  })
