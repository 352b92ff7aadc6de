/**
 * Tests row-level security alone, without any WHERE. Each table with `core.protect` and rows of tenant A is read,
 * updated, deleted from and inserted into in a transaction of tenant B. Postgres itself must protect A's rows.
 */
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Result } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { toSqlPg } from "#core/postgres/ConnectionTarget.ts"
import { tenantTransaction } from "#core/sql/Sql.ts"
import { ofTenant, type Table, tables } from "./Rows.ts"
import type { Walk } from "./Walk.ts"

/** SQLSTATE of a row that a policy refuses, and of a statement that the role may not run. */
const refused = "42501"

/**
 * Findings, one line each. `empty`: tables that no seed can fill, with the reason. Other empty protected tables are
 * findings, and so are filled tables of `empty`.
 */
export const rowSecurity = (
  walk: Walk,
  empty: Readonly<Record<string, string>> = {}
): Effect.Effect<ReadonlyArray<string>> =>
  Effect.scoped(
    Effect.gen(function* () {
      yield* walk.settled ?? Effect.void
      // The superuser can disable foreign keys. The policy alone must refuse, without help from foreign keys.
      const target = toSqlPg(walk.suite.database.superuser)
      const connected = yield* Layer.build(
        PgClient.layer({ ...target, applicationName: "row security", maxConnections: 1 })
      )
      const sql = Context.get(connected, PgClient.PgClient)
      const all = (yield* tables(sql, [walk.schema])).filter((table) => table.protected)
      const found = yield* Effect.forEach(all, (table) =>
        Effect.map(inspect(walk, sql, table), (findings) => {
          const excused = Object.hasOwn(empty, table.name)
          const told =
            findings === undefined
              ? excused
                ? []
                : ["no seed made a row of A's, so nothing is proved of it"]
              : [...(excused ? ["is said to stay empty, but holds a row of A's"] : []), ...findings]
          return told.map((finding) => `${table.name}: ${finding}`)
        })
      )
      return found.flat()
    })
  ).pipe(Effect.orDie)

const inspect = Effect.fnUntraced(function* (walk: Walk, sql: PgClient.PgClient, table: Table) {
  const { a, b } = walk
  const foreign = Effect.map(ofTenant(sql, [table], a.tenant), (reading) => reading.get(table.name)!)
  const before = yield* foreign
  if (before.length === 0) return undefined
  const found: Array<string> = []
  const read = sql.unsafe<{ row: string; tenant: number }>(
    `select t::text as row, tenant_id as tenant from ${table.name} t`
  )
  const seen = yield* asTenant(sql, b.tenant, read)
  if (Result.isSuccess(seen)) {
    const foreign = seen.success.filter((row) => row.tenant !== b.tenant)
    if (foreign.length > 0)
      found.push(`select without a WHERE shows B ${foreign.length} foreign rows: ${foreign[0]!.row.slice(0, 200)}`)
  } else if (stateOf(seen.failure) !== refused) found.push(`select without a WHERE: ${seen.failure.message}`)

  const [first] = table.updatable
  const again = table.updatable.includes("tenant_id") ? "tenant_id" : first
  const changing = [
    ["update", `update ${table.name} set "${again}" = "${again}"`],
    ["delete", `delete from ${table.name}`]
  ] as const
  for (const [name, statement] of changing) {
    // The row's ctid and xmin reveal a new version of the row, even with equal values.
    const places = sql.unsafe<{ place: string }>(
      `select ctid::text || xmin::text as place from ${table.name} where tenant_id = ${a.tenant} order by 1`
    )
    const was = yield* places
    const asBefore = sql`select set_config('role', 'none', true)`
    const after = yield* asTenant(
      sql,
      b.tenant,
      Effect.andThen(sql.unsafe(statement), Effect.andThen(asBefore, places))
    )
    if (Result.isSuccess(after) && JSON.stringify(after.success) !== JSON.stringify(was))
      found.push(`${name} without a WHERE reaches A's rows`)
    if (Result.isFailure(after) && stateOf(after.failure) !== refused)
      found.push(`${name} without a WHERE: ${after.failure.message}`)
  }

  const [row] = yield* sql.unsafe<{ row: unknown }>(
    `select to_jsonb(t) as row from ${table.name} t where tenant_id = ${a.tenant} limit 1`
  )
  const columns = table.columns.map((name) => `"${name}"`).join(", ")
  const insert = sql.unsafe(
    `insert into ${table.name} (${columns}) overriding system value
      select ${columns} from jsonb_populate_record(null::${table.name}, $1::jsonb)`,
    [JSON.stringify(row!.row)]
  )
  const planted = yield* asTenant(sql, b.tenant, insert)
  if (Result.isSuccess(planted)) found.push("B may insert a row of A's")
  else if (stateOf(planted.failure) !== refused) {
    found.push(`an insert of A's row fails for another reason than the policy: ${planted.failure.message}`)
  }
  if (again !== "tenant_id") return found
  const given = yield* asTenant(
    sql,
    b.tenant,
    sql.unsafe(`update ${table.name} set tenant_id = ${a.tenant} returning 1`)
  )
  if (Result.isSuccess(given) && given.success.length > 0) found.push("B may give its row to A")
  return found
})

/** Runs a statement as the tenant, without foreign keys and triggers, and rolls it back. */
const asTenant = <X>(
  sql: PgClient.PgClient,
  tenant: number,
  statement: Effect.Effect<X, SqlError.SqlError>
): Effect.Effect<Result.Result<X, SqlError.SqlError>> =>
  sql
    .withTransaction(
      Effect.andThen(
        sql`set local session_replication_role = replica`,
        Effect.flatMap(tenantTransaction(tenant, statement), (value) => Effect.fail({ value }))
      )
    )
    .pipe(
      Effect.provideService(SqlClient.SqlClient, sql),
      Effect.match({
        onSuccess: (never) => never,
        onFailure: (end): Result.Result<X, SqlError.SqlError> =>
          "value" in end ? Result.succeed(end.value) : Result.fail(end)
      })
    )

const stateOf = (error: SqlError.SqlError): string =>
  String((error.reason.cause as { readonly code?: unknown } | undefined)?.code)
