/**
 * A batch over a tenant with its writes, compared with bare bulk INSERTs of the same rows: payments, allocations,
 * decisions, events, and the new versions of transactions and invoices, in chunks of the same size, with the same
 * client and the same indexes.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Exit, Layer, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { coreMigrations } from "#core/sql/CoreSchema.ts"
import * as Database from "#core/sql/Database.ts"
import * as Events from "#core/events/Events.ts"
import * as Migrations from "#core/sql/Migrations.ts"
import * as Sql from "#core/sql/Sql.ts"
import * as Wake from "#core/events/Wake.ts"
import { start } from "#core/postgres/EmbeddedPostgres.ts"
import { bankFetcher } from "#daemons/bank-fetcher/Daemon.ts"
import { chunkSize, run } from "#daemons/bank-fetcher/reconciliation/MatchRun.ts"
import { labelledPayments, tuningSeed } from "#support/bank/LabelledPayments.ts"
import { freshDatabaseOn } from "#support/Postgres.ts"
import { type Figure, figure } from "../Figure.ts"

const tenant = 7

/** Tables that the batch writes. */
const tables = [
  "bank_fetcher.payment",
  "bank_fetcher.payment_allocation",
  "bank_fetcher.decision",
  "bank_fetcher.transaction",
  "bank_fetcher.invoice",
  "core.event"
] as const

/** Inserts rows in chunks, each in a transaction, as the batch writes. */
const insertAll = Effect.fnUntraced(function* (into: string, type: string, rows: ReadonlyArray<unknown>) {
  const sql = yield* SqlClient.SqlClient
  for (let at = 0; at < rows.length; at += chunkSize) {
    const chunk = JSON.stringify(rows.slice(at, at + chunkSize))
    yield* Sql.transaction(
      sql`insert into ${sql.literal(into)}
        select * from json_populate_recordset(null::${sql.literal(type)}, ${chunk}::text::json)`
    )
  }
})

/** Rows of a table as JSON. */
const rowsOf = (table: string, where: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(sql.unsafe<{ row: object }>(`select to_json(t) as row from ${table} t where ${where}`), (found) =>
      found.map(({ row }) => row)
    )
  )

const fill = Effect.fnUntraced(function* (count: number) {
  const sql = yield* SqlClient.SqlClient
  const { invoices, payers, payments } = labelledPayments(tuningSeed, count)
  const json = (value: unknown) => sql`${JSON.stringify(value)}::text::json`
  yield* sql`insert into bank_fetcher.customer (customer_id, tenant_id, number, name, state, version)
    select "customerId", ${tenant}, "customerId"::text, name, 'active', 1
    from json_to_recordset(${json(payers)}) as r ("customerId" int, name text)`
  yield* sql`insert into bank_fetcher.customer_iban (tenant_id, customer_id, iban)
    select ${tenant}, "customerId", ibans ->> 0
    from json_to_recordset(${json(payers)}) as r ("customerId" int, ibans json)
    where json_array_length(ibans) > 0`
  yield* sql`insert into bank_fetcher.invoice (tenant_id, customer_id, number, amount, currency, issued_on, due_on,
      discount_until, discount_amount)
    select ${tenant}, "customerId", number, open, currency, "issuedOn", "dueOn", (discount ->> 'until')::date,
      (discount ->> 'amount')::bigint
    from json_to_recordset(${json(invoices)}) as r ("customerId" int, number text, open bigint, currency text,
      "issuedOn" date, "dueOn" date, discount json)`
  const [file] = yield* sql<{ id: string }>`insert into bank_fetcher.raw_file (tenant_id, source, name, sha256, size,
    chunks) values (${tenant}, 'import', 'a', 'a', 1, 0) returning id`
  const [statement] = yield* sql<{ id: string }>`insert into bank_fetcher.statement (tenant_id, file_id, position, kind,
    format, bank_id) values (${tenant}, ${file!.id}, 0, 'end_of_day', 'MT940', '1') returning id`
  yield* sql`insert into bank_fetcher.transaction (tenant_id, statement_id, position, amount, currency, status,
      booked_on, text, end_to_end_id, counter_iban, counter_name)
    select ${tenant}, ${statement!.id}, row_number() over (), amount, currency, 'booked', "bookedOn", text,
      nullif("endToEndId", 'NOTPROVIDED'), "counterIban", "counterName"
    from json_to_recordset(${json(payments.map(({ transaction }) => transaction))}) as r (amount bigint, currency text,
      "bookedOn" date, text text, "endToEndId" text, "counterIban" text, "counterName" text)`
  yield* sql`analyze`
})

/** Time of the batch and of the bare inserts. Unit: microseconds for each transaction. */
const measured = Effect.fnUntraced(function* (count: number) {
  const sql = yield* SqlClient.SqlClient
  yield* fill(count)
  const from = performance.now()
  yield* run(
    tenant,
    0,
    () => Effect.succeed(true),
    () => Effect.void
  )
  const ours = ((performance.now() - from) * 1_000) / count
  let floor = 0
  for (const table of tables) {
    const rows = yield* rowsOf(
      table,
      table.endsWith("transaction") || table.endsWith("invoice") ? "updated_at > created_at" : "true"
    )
    const copy = `${table}_copy`
    yield* sql.unsafe(`create table ${copy} (like ${table} including indexes including defaults)`)
    const begin = performance.now()
    yield* insertAll(copy, table, rows)
    floor += performance.now() - begin
  }
  const [{ matched } = { matched: 0 }] = yield* sql<{ matched: number }>`select count(*)::int as matched
    from bank_fetcher.payment`
  return { ours, floor: (floor * 1_000) / count, matched }
})

/** Runs `use` over a fresh database with fsync, as in production. */
const onDatabase = async <A, E>(use: Effect.Effect<A, E, any>): Promise<A> => {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-bench-"))
  const scope = Effect.runSync(Scope.make())
  const inScope = <B, F>(effect: Effect.Effect<B, F, Scope.Scope>) => Effect.runPromise(Scope.provide(effect, scope))
  try {
    const server = await inScope(start({ dataDir: join(folder, "postgres"), fsync: true }))
    const { target } = await inScope(freshDatabaseOn(server.socketDir))
    const database = Database.layerTarget(target, { applicationName: "bench" })
    const services = Events.layer.pipe(
      Layer.provideMerge(Wake.layer),
      Layer.provideMerge(Sql.layer),
      Layer.provideMerge(database)
    )
    const all = Effect.andThen(
      Effect.andThen(Migrations.run(coreMigrations), Migrations.run(bankFetcher.migrations)),
      use
    )
    return await inScope(Effect.provide(all, services) as Effect.Effect<A, never, Scope.Scope>)
  } finally {
    await Effect.runPromise(Scope.close(scope, Exit.void))
    rmSync(folder, { recursive: true, force: true })
  }
}

export const batchFigures = async (): Promise<ReadonlyArray<Figure>> => {
  const small = await onDatabase(measured(1_000))
  const large = await onDatabase(measured(100_000))
  return [
    figure("batch with its writes, a transaction of 100,000", large.ours, "µs", { floor: large.floor }),
    figure("ratio of that to bare bulk INSERTs of the same rows", large.ours / large.floor, "", { target: 3 }),
    figure("ratio of a transaction of 100,000 to one of 1,000", large.ours / small.ours, "", { target: 1.5 })
  ]
}
