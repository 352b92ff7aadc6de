/**
 * Database contents as the platform role sees them: a tenant's rows in every table with tenants, and fingerprints of
 * whole tables. Two readings can be compared.
 */
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import type { SqlError } from "effect/sql"

export interface Table {
  /** Name of the table, as `schema.table`. */
  readonly name: string
  readonly tenant: boolean
  /** Whether row-level security with the policy of `core.protect` applies. */
  readonly protected: boolean
  /** Columns that an insert may set. */
  readonly columns: ReadonlyArray<string>
  /** Columns that an update may set. */
  readonly updatable: ReadonlyArray<string>
}

/** Tables of these schemas, without the migration tables. */
export const tables = (
  sql: PgClient.PgClient,
  schemas: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<Table>, SqlError.SqlError> =>
  sql<Table>`select format('%I.%I', n.nspname, c.relname) as name, bool_or(a.attname = 'tenant_id') as tenant,
         exists (select 1 from pg_policies p where p.schemaname = n.nspname and p.tablename = c.relname and p.roles = '{signalbox_tenant}') as protected,
         array_agg(a.attname::text order by a.attnum) filter (where a.attgenerated = '') as columns,
         array_agg(a.attname::text order by a.attnum) filter (where a.attgenerated = '' and a.attidentity <> 'a') as updatable
    from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
   where c.relkind in ('r', 'p') and not c.relispartition and n.nspname in ${sql.in(schemas)} and c.relname <> 'migration'
   group by n.nspname, c.relname, c.oid order by 1`

/** Rows as text, by table. */
export type Reading = ReadonlyMap<string, ReadonlyArray<string>>

/** The tenant's rows in all tables with a tenant_id. */
export const ofTenant = (
  sql: PgClient.PgClient,
  all: ReadonlyArray<Table>,
  tenant: number
): Effect.Effect<Reading, SqlError.SqlError> =>
  reading(
    sql,
    all.filter((table) => table.tenant),
    (name) => `select t::text as row from ${name} t where tenant_id = ${tenant}`
  )

/** One line per table: number of rows and a hash over them. */
export const fingerprints = (
  sql: PgClient.PgClient,
  all: ReadonlyArray<Table>
): Effect.Effect<Reading, SqlError.SqlError> =>
  reading(
    sql,
    all,
    (name) => `select count(*) || ' rows, ' || coalesce(sum(hashtextextended(t::text, 0)), 0) as row from ${name} t`
  )

/** Changes between two readings, one line per table; empty when nothing changed. */
export const changes = (before: Reading, after: Reading): ReadonlyArray<string> =>
  [...new Set([...before.keys(), ...after.keys()])].flatMap((table) => {
    const [was, is] = [before.get(table) ?? [], after.get(table) ?? []]
    const gone = was.filter((row) => !is.includes(row))
    const come = is.filter((row) => !was.includes(row))
    return gone.length + come.length === 0 ? [] : [`${table} ${show(gone)} became ${show(come)}`]
  })

const show = (rows: ReadonlyArray<string>) =>
  rows.length === 0 ? "nothing" : rows.map((row) => row.slice(0, 200)).join(", ")

const reading = (
  sql: PgClient.PgClient,
  all: ReadonlyArray<Table>,
  query: (name: string) => string
): Effect.Effect<Reading, SqlError.SqlError> =>
  all.length === 0
    ? Effect.succeed(new Map())
    : Effect.map(
        sql.unsafe<{ name: string; rows: ReadonlyArray<string> | null }>(
          all
            .map(
              ({ name }) =>
                `select '${name}' as name, (select array_agg(r.row order by r.row) from (${query(name)}) r) as rows`
            )
            .join(" union all ")
        ),
        (rows) => new Map(rows.map((row) => [row.name, row.rows ?? []]))
      )
