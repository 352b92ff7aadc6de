/**
 * The event log as one reader may see it, newest first by time of writing. The database hides events of others
 * (EventFeed.seenBy). Types that need a missing permission are not queried, so that pages are full.
 *
 * A reader sees few types, and each type is a contiguous part of an index (core's migrations). The newest events of
 * each type are read and merged, so the cost of a page does not depend on the size of the table or the rarity of a
 * type.
 */
import { Effect } from "effect"
import { SqlClient, type SqlError, type Statement } from "effect/sql"
import type { Permission } from "#core/auth/Permissions.ts"
import { mayReceive } from "#core/contracts/EventAccess.ts"
import { type Position, positionText, seenBy } from "#core/events/EventFeed.ts"
import { matches } from "#core/events/Events.ts"

/** A page ends early at this size; one event may be longer. Unit: bytes. Reason: bounds the memory of a read. */
const pageBytes = 4 * 1024 * 1024

/** Null: the platform, which sees everything. */
export type Reader = {
  readonly tenantId: number
  readonly userId: number
  readonly permissions: ReadonlySet<Permission>
} | null

export interface LogFilter {
  /** `*`, an exact type, or a prefix such as `mail.*`. */
  readonly pattern: string
  /** Inclusive. */
  readonly since?: Date
  /** Exclusive. */
  readonly until?: Date
  /** Only events before this position of the log. */
  readonly before?: Position
}

export interface LoggedEvent {
  /** The same id as on the event socket. */
  readonly id: string
  readonly type: string
  readonly tenant_id: number | null
  readonly user_id: number | null
  readonly source: string
  readonly at: Date
  readonly data: unknown
}

export interface LogPage {
  readonly items: ReadonlyArray<LoggedEvent>
  readonly more: boolean
}

/** Events of these types, read from one index. */
export interface Arm {
  readonly scope: Statement.Fragment
  /** Newest first, in index order. */
  readonly order: Statement.Fragment
  readonly types: ReadonlyArray<string>
}

type Read<A> = Effect.Effect<A, SqlError.SqlError, SqlClient.SqlClient>

/** One page, newest first. */
export const page = (reader: Reader, filter: LogFilter, limit: number): Read<LogPage> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const arms = armsOf(sql, reader, yield* typesFor(filter.pattern))
    return yield* seenBy(
      reader,
      Effect.gen(function* () {
        const before =
          filter.before === undefined ? undefined : ((yield* boundStatement(sql, reader, filter.before))[0] ?? null)
        // No events are left before it.
        if (before === null) return { items: [], more: false }
        const rows = yield* pageStatement(sql, arms, { ...filter, before }, limit + 1)
        const items = rows.slice(0, limit).map(logged)
        return { items, more: rows.length > items.length || rows.length < (rows[0]?.found ?? 0) }
      })
    )
  })

/** These events in this order, for the platform. */
export const entries = (positions: ReadonlyArray<Position>): Read<ReadonlyArray<LoggedEvent>> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql<Row>`select ${columns(sql)} from core.event e
        join unnest(${positions.map(({ id }) => String(id))}::bigint[])
          with ordinality p (id, nth) on p.id = e.id order by p.nth`
    return rows.map(logged)
  })

/** Existing types that match a pattern; read with the platform's role. */
export const typesFor = (pattern: string): Read<ReadonlyArray<string>> =>
  pattern.endsWith("*")
    ? Effect.map(Effect.flatMap(SqlClient.SqlClient, typesStatement), (rows) =>
        rows.map(({ type }) => type).filter((type) => matches(pattern, type))
      )
    : Effect.succeed([pattern])

/** Existing types, found by one index look-up each. */
export const typesStatement = (sql: SqlClient.SqlClient) =>
  sql<{ type: string }>`with recursive kind (type) as (
      (select e.type from core.event e order by e.type limit 1)
      union all
      select (select e.type from core.event e where e.type > kind.type order by e.type limit 1) from kind
        where kind.type is not null)
    select type from kind where type is not null`

/** The index for the reader's events of these types. */
export const armsOf = (sql: SqlClient.SqlClient, reader: Reader, types: ReadonlyArray<string>): ReadonlyArray<Arm> => {
  const newest = sql`e.at desc, e.id desc`
  if (reader === null) return [{ scope: sql`true`, order: newest, types }]
  const forAll = types.filter((type) => mayReceive(type, reader.permissions))
  return [
    // The null is part of the order, because the planner does not infer that it is constant and would choose the other
    // index.
    {
      scope: sql`e.tenant_id = ${reader.tenantId} and e.user_id is null`,
      order: sql`e.user_id desc, ${newest}`,
      types: forAll
    },
    { scope: sql`e.tenant_id = ${reader.tenantId} and e.user_id = ${reader.userId}`, order: newest, types }
  ]
}

/** Position in the log: of an event, or of the next older one. */
interface Bound {
  /** Postgres text form, with microseconds. */
  readonly at: string
  readonly id: string
  readonly exact: boolean
}

/** The log position of an event position. */
export const boundStatement = (sql: SqlClient.SqlClient, reader: Reader, { id, xid }: Position) =>
  sql<Bound>`select e.at::text as at, e.id::text as id, (e.xid, e.id) = (${String(xid)}::xid8, ${id}) as exact
    from core.event e
    where (e.xid, e.id) <= (${String(xid)}::xid8,
      ${id}) ${reader === null ? sql`` : sql`and e.tenant_id = ${reader.tenantId}`}
    order by e.xid desc, e.id desc limit 1`

interface Row {
  readonly id: bigint
  readonly xid: string
  readonly type: string
  readonly tenant_id: number | null
  readonly user_id: number | null
  readonly source: string
  readonly at: Date
  readonly data: unknown
}

interface PageRow extends Row {
  /** Rows of a page when no event is long. */
  readonly found: number
}

const columns = (sql: SqlClient.SqlClient) =>
  sql`e.id, e.xid::text as xid, e.type, e.tenant_id, e.user_id, e.source, e.at, e.data`

/** The statement of a page. Exported for a test of its plan. */
export const pageStatement = (
  sql: SqlClient.SqlClient,
  arms: ReadonlyArray<Arm>,
  { before, since, until }: Omit<LogFilter, "before" | "pattern"> & { readonly before?: Bound | undefined },
  limit: number
) => {
  const bounds = sql.and([
    sql`true`,
    ...(since === undefined ? [] : [sql`e.at >= ${since}`]),
    ...(until === undefined ? [] : [sql`e.at < ${until}`]),
    ...(before === undefined
      ? []
      : [
          before.exact
            ? sql`(e.at, e.id) < (${before.at}::timestamptz, ${before.id}::bigint)`
            : sql`(e.at, e.id) <= (${before.at}::timestamptz, ${before.id}::bigint)`
        ])
  ])
  const newest = arms.map(
    ({ order, scope, types }) => sql`select n.id, n.at from unnest(${types}::text[]) k (type) cross join lateral (
    select e.id, e.at from core.event e where ${scope} and e.type = k.type and ${bounds} order by ${order}
      limit ${limit}) n`
  )
  return sql<PageRow>`select * from (
      select ${columns(sql)}, count(*) over ()::int as found,
             sum(octet_length(e.data::text)) over (order by p.at desc, p.id desc) - octet_length(e.data::text) as ahead
        from (select * from (${union(sql, newest)}) c order by c.at desc, c.id desc limit ${limit}) p
          join core.event e on e.id = p.id) q
    where q.ahead < ${pageBytes} order by q.at desc, q.id desc`
}

/** Union of several statements. */
export const union = (sql: SqlClient.SqlClient, parts: ReadonlyArray<Statement.Fragment>): Statement.Fragment =>
  parts.reduce((all, part) => sql`${all} union all ${part}`)

const logged = ({ at, data, id, source, tenant_id, type, user_id, xid }: Row): LoggedEvent => ({
  id: positionText({ xid: BigInt(xid), id }),
  type,
  tenant_id,
  user_id,
  source,
  at,
  data
})
