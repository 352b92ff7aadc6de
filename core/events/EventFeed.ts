/**
 * The outbox as those outside may follow it: events in the order in which they become certain, each reader seeing what
 * its tenant and its user may see. That is kept by the database (the policy on core.event), not by whoever hands the
 * events on.
 *
 * A position is where a reader stands: behind that row. It is what a client shows when it comes back, and holds over
 * restarts.
 */
import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { tenantTransaction } from "../sql/Sql.ts"

/** Rows of one slice, over all tenants. Unit: rows. Reason: what is read at once is held at once. */
export const sliceSize = 500

/**
 * From so much data on a slice, or a reader's page, ends early; one event may be longer. Unit: bytes. Reason: as above.
 */
const sliceBytes = 4 * 1024 * 1024
const pageBytes = 1024 * 1024

/** Behind the row `id` of transaction `xid`. */
export interface Position {
  readonly xid: bigint
  readonly id: bigint
}

export const compare = (a: Position, b: Position): number =>
  a.xid < b.xid ? -1 : a.xid > b.xid ? 1 : a.id < b.id ? -1 : a.id > b.id ? 1 : 0

/** As clients see it: opaque to them. */
export const positionText = ({ id, xid }: Position): string => `${xid}-${id}`

/** Undefined when it is none. */
export const parsePosition = (text: string): Position | undefined => {
  const parts = /^(\d{1,20})-(\d{1,19})$/.exec(text)
  if (parts === null) return undefined
  const [xid, id] = [BigInt(parts[1]!), BigInt(parts[2]!)]
  // Bounds of xid8 and bigint.
  return xid < 2n ** 64n && id < 2n ** 63n ? { xid, id } : undefined
}

/** An event for its readers. */
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

/** What lies between two positions. */
export interface Slice {
  readonly from: Position
  /** To here and no further; everything up to it is in the slice. */
  readonly upto: Position
  /** More lies beyond already. */
  readonly more: boolean
  /** Something is committed that may not be read yet, because an older transaction is still under way. */
  readonly held: boolean
  /** Whose events are in it. */
  readonly tenants: ReadonlyArray<number>
  /** All of it, when asked for. */
  readonly events: ReadonlyArray<FedEvent>
  readonly empty: boolean
}

type Read<A> = Effect.Effect<A, SqlError.SqlError, SqlClient.SqlClient>

/** Where a reader stands who wants what comes from now on. */
export const now: Read<Position> = Effect.map(
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<{ xmin: string }>`select pg_snapshot_xmin(pg_current_snapshot())::text as xmin`
  ),
  ([row]) => ({ xid: BigInt(row!.xmin), id: 0n })
)

/**
 * Whether events behind this position were deleted already, so that a reader who goes on from it has missed some; or it
 * is none of this database, which has been restored to an earlier day since: nothing would come until that number was
 * reached again.
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
 * The next slice behind `from`; with `all` its events, too, for those who see every tenant: one way to the database,
 * not two.
 */
export const slice = (from: Position, all: boolean = false): Read<Slice> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql<Sliced>`
      with horizon as materialized (select pg_snapshot_xmin(pg_current_snapshot()) as xmin),
      rows as (select e.xid, e.id, e.tenant_id, e.type, e.user_id, e.data::text as data from core.event e, horizon h
        where (e.xid, e.id) > (${String(from.xid)}::xid8, ${from.id}) and e.xid < h.xmin order by e.xid, e.id limit ${sliceSize}),
      sized as (select *, sum(octet_length(data)) over (order by rows.xid, rows.id) as bytes from rows)
      select h.xmin::text as xmin, exists (select 1 from core.event where xid >= h.xmin) as held, s.bytes::float8 as bytes,
        s.tenant_id as tenant, s.id, s.xid::text as xid, s.type, s.user_id as member, case when ${all} then s.data end as data
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

/** A row of a slice; without a row, only what stands in every one. */
interface Sliced extends Row {
  readonly xmin: string
  readonly held: boolean
  /** Of the slice up to here. */
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

/** A tenant that there is not: the function takes the role of each in turn. */
const nobody = 0

/** What each of these tenants may see of the slice, in order within a tenant. */
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
      string_to_array(${tenants.join(",")}, ',')::int[], ${String(from.xid)}::xid8, ${from.id}, ${String(upto.xid)}::xid8, ${upto.id})`
    )
    return rows.map(fed)
  })

/** One reader of the outbox; null: the platform's. */
export type Audience = { readonly tenantId: number; readonly userId: number } | null

/** Runs `effect` in a transaction in which the database hides whatever events are not for this reader. */
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
 * What one reader may see behind `from`, at most `most` rows and some of `pageBytes`; `upto` is where it stands
 * afterwards.
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
            from core.event e where (e.xid, e.id) > (${String(from.xid)}::xid8, ${from.id}) and e.xid < pg_snapshot_xmin(pg_current_snapshot())
            order by e.xid, e.id limit ${most}) p) q
      where before < ${pageBytes} order by q.xid, q.id`
    // The horizon is asked first: it can only move on, so nothing below it is left out by the page.
    const horizon = yield* now
    const rows = yield* seenBy(audience, read)
    const events = rows.map(fed)
    const more = rows.length === most || rows.reduce((sum, { data }) => sum + Buffer.byteLength(data), 0) >= pageBytes
    const last = events.at(-1)?.at
    const reached = last !== undefined && (more || compare(last, horizon) > 0) ? last : horizon
    return { events, upto: compare(reached, from) > 0 ? reached : from, more }
  })
