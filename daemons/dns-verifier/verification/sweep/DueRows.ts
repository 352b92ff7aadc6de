/** Reads domains and mail domains with all data that a check needs, by due arcs or by id. */
import { Effect } from "effect"
import { SqlClient, type SqlError, type Statement } from "effect/sql"
import type { DnsStatus } from "#core/contracts/Domains.ts"
import type { MailRecord, RecordStatus } from "#core/contracts/MailDomains.ts"
import type { Finding } from "../decide/Finding.ts"
import type { Arc } from "./Schedule.ts"

export interface DomainRow {
  readonly id: number
  readonly tenant_id: number
  readonly customer_id: number
  readonly name: string
  /** Whether the tenant holds the name. */
  readonly proven: boolean
  readonly dns_provider_id: number | null
  /** Type of the domain's account; null: no account. */
  readonly account_type: string | null
  readonly has_credentials: boolean
  readonly dns_status: DnsStatus
  readonly status: "pending" | "active"
  readonly mismatches: number
  readonly check_every: number
  readonly phase: number
  readonly detected_provider: string | null
  readonly zone: string | null
  readonly findings: ReadonlyArray<Finding>
  /** Unit: milliseconds since 1970; null: never checked. */
  readonly observed_ms: number | null
  readonly records: ReadonlyArray<{
    readonly id: number
    readonly type: string
    readonly name: string
    readonly content: string
    readonly status: RecordStatus
  }>
  /** Mail records at the same names; null: no mail domain of this name. */
  readonly mail: ReadonlyArray<MailRecord> | null
}

export interface MailRow {
  readonly id: number
  readonly tenant_id: number
  readonly name: string
  readonly check_every: number
  readonly phase: number
  readonly version: number
  readonly records: ReadonlyArray<MailRecord>
  /** As last reported to mail-admin; null: never. */
  readonly checks: ReadonlyArray<MailRecord & { readonly status: RecordStatus }> | null
  readonly checked_version: number | null
  /** Users' records at the same names; null: none. */
  readonly wanted: ReadonlyArray<{ readonly type: string; readonly name: string; readonly content: string }> | null
}

/**
 * Rows per page of one arc. Reason: rows of about two kilobytes wait in memory in every shard; smaller pages need more
 * statements.
 */
export const pageSize = 100

const domainFields = (sql: SqlClient.SqlClient) =>
  sql`d.id, d.tenant_id, d.customer_id, d.name, d.proven, d.dns_provider_id, p.type as account_type,
    p.credentials is not null as has_credentials, d.dns_status, d.status,
    d.mismatches, d.check_every, d.phase, d.detected_provider, d.zone, d.findings,
    (extract(epoch from d.observed_at) * 1000)::float8 as observed_ms,
    coalesce((select json_agg(json_build_object('id', r.id, 'type', r.type, 'name', r.name, 'content', r.content,
    'status', r.status) order by r.id)
       from dns_verifier.record r where r.domain_id = d.id), '[]') as records,
    (select m.records from dns_verifier.mail_domain m where m.name = d.name
      and m.tenant_id = d.tenant_id and m.state = 'active' limit 1) as mail`

const mailFields = (sql: SqlClient.SqlClient) =>
  sql`d.mail_domain_id as id, d.tenant_id, d.name, d.check_every, d.phase, d.version, d.records, d.checks,
    d.checked_version,
    (select json_agg(json_build_object('type', r.type, 'name', r.name, 'content', r.content))
       from dns_verifier.record r join dns_verifier.domain o on o.id = r.domain_id
       where o.name = d.name and o.tenant_id = d.tenant_id and r.source = 'user') as wanted`

/** Locks the row if `hold`. The lock is a separate statement, so that joined data is read after it. */
export const domain = Effect.fnUntraced(function* (id: number, hold: boolean) {
  const sql = yield* SqlClient.SqlClient
  if (hold) yield* sql`select 1 from dns_verifier.domain where id = ${id} for update`
  const [row] = yield* sql<DomainRow>`select ${domainFields(sql)} from dns_verifier.domain d
      left join dns_verifier.dns_provider p on p.id = d.dns_provider_id
    where d.id = ${id}`
  return row
})

/** Loads an active mail domain and locks its row. */
export const mailDomain = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`select 1 from dns_verifier.mail_domain where mail_domain_id = ${id} for update`
  const [row] = yield* sql<MailRow>`select ${mailFields(sql)} from dns_verifier.mail_domain d
      where d.mail_domain_id = ${id} and d.state = 'active'`
  return row
})

const domainsIn = (
  sql: SqlClient.SqlClient,
  shard: number,
  arcs: ReadonlyArray<Arc>,
  after: { readonly phase: number; readonly id: number } | undefined
) =>
  sql<DomainRow>`select ${domainFields(sql)} from ${arcsOf(sql, arcs)} cross join lateral (
      select * from dns_verifier.domain x where x.shard = ${shard} and x.check_every = w.every and x.phase > w.above
      and x.phase <= w."upTo"
        ${after === undefined ? sql`` : sql`and (x.phase, x.id) > (${after.phase}::float8, ${after.id})`}
      order by x.phase, x.id limit ${pageSize}) d
    left join dns_verifier.dns_provider p on p.id = d.dns_provider_id order by d.check_every, d.phase, d.id`

const mailIn = (
  sql: SqlClient.SqlClient,
  shard: number,
  arcs: ReadonlyArray<Arc>,
  after: { readonly phase: number; readonly id: number } | undefined
) =>
  sql<MailRow>`select ${mailFields(sql)} from ${arcsOf(sql, arcs)} cross join lateral (
      select * from dns_verifier.mail_domain x
      where x.shard = ${shard} and x.state = 'active' and x.check_every = w.every and x.phase > w.above
      and x.phase <= w."upTo"
        ${after === undefined ? sql`` : sql`and (x.phase, x.mail_domain_id) > (${after.phase}::float8, ${after.id})`}
      order by x.phase, x.mail_domain_id limit ${pageSize}) d order by d.check_every, d.phase, d.mail_domain_id`

const arcsOf = (sql: SqlClient.SqlClient, arcs: ReadonlyArray<Arc>): Statement.Fragment =>
  sql`jsonb_to_recordset(${JSON.stringify(arcs)}::jsonb) as w (every int, above float8, "upTo" float8)`

interface Placed {
  readonly id: number
  readonly check_every: number
  readonly phase: number
}

/** Receiver of the rows. */
export interface Taking<A> {
  readonly take: (row: A) => void
  /** Awaited after each page, so that rows do not pile up. */
  readonly ready: Effect.Effect<void>
}

/**
 * Passes all rows of the arcs to the receiver, page by page. One statement reads the first page of all arcs; full arcs
 * are then read on.
 */
const each = <A extends Placed>(
  read: (
    arcs: ReadonlyArray<Arc>,
    after: { readonly phase: number; readonly id: number } | undefined
  ) => Effect.Effect<ReadonlyArray<A>, SqlError.SqlError>,
  arcs: ReadonlyArray<Arc>,
  { ready, take }: Taking<A>
): Effect.Effect<void, SqlError.SqlError> =>
  Effect.gen(function* () {
    if (arcs.length === 0) return
    // Keeps only the position in each arc, not the rows.
    const takeAll = (some: ReadonlyArray<Arc>, rows: ReadonlyArray<A>) => {
      rows.forEach(take)
      return some.flatMap((arc) => {
        const page = rows.filter(
          ({ check_every, phase }) => check_every === arc.every && phase > arc.above && phase <= arc.upTo
        )
        const { id, phase } = page[pageSize - 1] ?? {}
        return id === undefined || phase === undefined ? [] : [{ arc, after: { id, phase } }]
      })
    }
    const further = takeAll(arcs, yield* read(arcs, undefined))
    yield* ready
    for (let next = further.shift(); next !== undefined; next = further.shift()) {
      further.unshift(...takeAll([next.arc], yield* read([next.arc], next.after)))
      yield* ready
    }
  })

export const eachDomain = (shard: number, arcs: ReadonlyArray<Arc>, taking: Taking<DomainRow>) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => each((some, after) => domainsIn(sql, shard, some, after), arcs, taking))

export const eachMailDomain = (shard: number, arcs: ReadonlyArray<Arc>, taking: Taking<MailRow>) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => each((some, after) => mailIn(sql, shard, some, after), arcs, taking))
