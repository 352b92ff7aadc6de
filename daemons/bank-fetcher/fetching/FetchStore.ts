/** Reads fetches, and adds those that the schedule or a person wants. Runs in the surrounding transaction. */
import { PgClient } from "@effect/sql-pg"
import { Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { NotFound } from "#core/http/Problem.ts"
import { Jobs } from "#core/jobs/Jobs.ts"
import * as StoredLog from "#core/limits/StoredLog.ts"
import { FetchWanted } from "../bank-store/BankJobs.ts"
import type { FetchReason, FetchState, FetchView, OrderView } from "./Api.ts"
import { TooManyFetches } from "./Errors.ts"
import type { ScheduledReason } from "./FetchTimes.ts"

export type Order = typeof OrderView.Type

export interface FetchRow {
  readonly id: string
  readonly seq: number
  readonly tenant_id: number
  readonly account_id: string
  readonly reason: typeof FetchReason.Type
  readonly firing: Date | null
  readonly from_date: string | null
  readonly to_date: string | null
  readonly order_types: ReadonlyArray<string> | null
  readonly state: typeof FetchState.Type
  readonly orders: ReadonlyArray<Order>
  readonly attempts: number
  readonly problem: string | null
  readonly retry_at: Date | null
  readonly requested_by: string
  readonly created_at: Date
  readonly finished_at: Date | null
}

export const fetchFields = (sql: SqlClient.SqlClient) =>
  sql`id, seq, tenant_id, account_id, reason, firing, from_date::text as from_date, to_date::text as to_date,
    order_types, state, orders, attempts, problem, retry_at, requested_by, created_at, finished_at`

/** Converts a row to the answer. */
export const view = ({
  created_at,
  finished_at,
  firing,
  order_types: _orderTypes,
  retry_at,
  ...row
}: FetchRow): typeof FetchView.Type => ({
  ...row,
  scheduled_for: firing?.toISOString() ?? null,
  retry_at: retry_at?.toISOString() ?? null,
  created_at: created_at.toISOString(),
  finished_at: finished_at?.toISOString() ?? null
})

export interface Filter {
  readonly tenant_id?: number
  readonly account_id?: string
  readonly state?: string
}

/** Fetches with `seq` below `before`, newest first. */
export const list = Effect.fnUntraced(function* (filter: Filter, before: number | undefined, limit: number) {
  const sql = yield* SqlClient.SqlClient
  const conditions = [
    sql`true`,
    ...(before === undefined ? [] : [sql`seq < ${before}`]),
    ...(filter.tenant_id === undefined ? [] : [sql`tenant_id = ${filter.tenant_id}`]),
    ...(filter.account_id === undefined ? [] : [sql`account_id = ${filter.account_id}`]),
    ...(filter.state === undefined ? [] : [sql`state = ${filter.state}`])
  ]
  return yield* sql<FetchRow>`select ${fetchFields(sql)} from bank_fetcher.fetch
    where ${sql.and(conditions)} order by seq desc limit ${limit}`
})

/** The fetch with this id, or 404. */
export const get = Effect.fnUntraced(function* (id: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<FetchRow>`select ${fetchFields(sql)} from bank_fetcher.fetch where id = ${id}`
  return row ?? (yield* new NotFound({ detail: "The fetch does not exist." }))
})

/** Tenant of an account, or 404. */
export const tenantOfAccount = Effect.fnUntraced(function* (accountId: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ tenant_id: number }>`select tenant_id from bank_fetcher.account where id = ${accountId}`
  return row === undefined ? yield* new NotFound({ detail: "The account does not exist." }) : row.tenant_id
})

/**
 * Fetches that a tenant may request. Reason: a bank counts the sessions of a customer, and a person presses the button
 * a few times an hour.
 */
export const requestPolicy: StoredLog.LogPolicy = {
  name: "bank_fetcher fetch request",
  table: "bank_fetcher.fetch",
  key: "tenant_id",
  at: "created_at",
  only: (sql) => sql`reason = 'manual'`,
  limit: 30,
  unit: "fetches",
  window: Duration.hours(1)
}

export interface Request {
  readonly tenantId: number
  readonly accountId: string
  readonly from: string | null
  readonly to: string | null
  readonly orderTypes: ReadonlyArray<string> | null
  readonly by: string
}

/**
 * Adds a requested fetch, or returns the one that waits already. A fetch that waits for its next attempt gets it now.
 */
export const request = Effect.fnUntraced(function* ({ accountId, by, from, orderTypes, tenantId, to }: Request) {
  const sql = yield* SqlClient.SqlClient
  const pg = yield* PgClient.PgClient
  yield* StoredLog.lock(requestPolicy, [tenantId])
  const [waiting] = yield* sql<FetchRow & { paused: boolean }>`
    select ${fetchFields(sql)}, retry_at > now() as paused from bank_fetcher.fetch
      where account_id = ${accountId} and reason = 'manual' and state = 'waiting' order by seq limit 1 for update`
  if (waiting !== undefined) {
    if (!waiting.paused) return waiting
    yield* sql`update bank_fetcher.fetch set retry_at = null where id = ${waiting.id}`
    yield* enqueue(waiting)
    return { ...waiting, retry_at: null }
  }
  const wait = yield* StoredLog.wait(requestPolicy, [tenantId])
  if (wait > 0)
    return yield* new TooManyFetches({
      detail: `At most ${requestPolicy.limit} fetches an hour. Try again in ${wait} seconds.`
    })
  const [made] = yield* sql<FetchRow>`insert into bank_fetcher.fetch
      (tenant_id, account_id, reason, from_date, to_date, order_types, requested_by)
    values (${tenantId}, ${accountId}, 'manual', ${from}::date, ${to}::date,
      ${orderTypes === null ? null : pg.json(orderTypes)}::jsonb, ${by}) returning ${fetchFields(sql)}`
  yield* enqueue(made!)
  return made!
})

/**
 * Adds the fetch of a firing, once. It replaces a waiting fetch of an earlier firing. Undefined: the firing has its
 * fetch
 * already.
 */
export const addFiring = Effect.fnUntraced(function* (accountId: string, reason: ScheduledReason, firing: Date) {
  const sql = yield* SqlClient.SqlClient
  const [made] = yield* sql<FetchRow>`insert into bank_fetcher.fetch
      (tenant_id, account_id, reason, firing, requested_by)
    select tenant_id, id, ${reason}, ${firing}, 'schedule' from bank_fetcher.account
      where id = ${accountId} and active and fetch_enabled
    on conflict (account_id, reason, firing) where firing is not null do nothing returning ${fetchFields(sql)}`
  if (made === undefined) return undefined
  yield* sql`update bank_fetcher.fetch set state = 'failed', finished_at = now(), retry_at = null,
      problem = coalesce(problem, 'The next fetch of the schedule replaced this one.')
    where account_id = ${accountId} and reason = ${reason} and state = 'waiting' and firing < ${firing}`
  yield* enqueue(made)
  return made
})

/** Sends the job of a fetch, due at `at` or now. */
export const enqueue = ({ id, tenant_id }: Pick<FetchRow, "id" | "tenant_id">, at?: Date) =>
  Effect.flatMap(Jobs, (jobs) =>
    jobs.send(FetchWanted, [
      {
        data: { tenant_id, fetch_id: id },
        group: `tenant ${tenant_id}`,
        ...(at === undefined ? {} : { startAfter: at })
      }
    ])
  )

/** Retention of fetches. Unit: days. Reason: a year, and a month to look back at its end. */
const keptDays = 400

/** Deletes old fetches; returns their number. */
export const prune = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(
    sql`delete from bank_fetcher.fetch
      where created_at < now() - make_interval(days => ${keptDays}) and finished_at is not null returning 1`,
    (gone) => gone.length
  )
)
