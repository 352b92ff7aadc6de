/**
 * Rate limit kept in Postgres as a sliding log: one row per event, and at most `limit` in any window. All processes
 * share it. It refuses at the exact limit, and a single event can be taken back by deleting its row.
 *
 * Postgres limits have two shapes. Most are logs, because their rows also carry other columns. StoredCounter.ts is the
 * second shape: one row per key, for limits that strangers can hit with any number of keys and events.
 *
 * Not `RateLimiter` of effect 4.1: it has no Postgres store, and its counters cannot be part of the transaction that
 * writes the event.
 *
 * The module reads and deletes rows; the caller inserts its own. The order in one transaction is `lock`, `wait`,
 * insert: the lock makes a concurrent caller see the row.
 */
import { Duration, Effect } from "effect"
import { SqlClient, type SqlError, type Statement } from "effect/sql"

/** A named limit. Table and columns are identifiers from the code, never input. */
export interface LogPolicy {
  /** Name of the lock, unique in the database: schema and purpose. */
  readonly name: string
  /** Table with its schema. */
  readonly table: string
  /** Column of the key. */
  readonly key: string
  /** Column with the time of the event. Type: timestamptz. */
  readonly at: string
  /** Column with the size of the event. Default: every event counts 1. */
  readonly amount?: string
  /** Restricts the rows that count. Default: all. */
  readonly only?: (sql: SqlClient.SqlClient) => Statement.Fragment
  /** Sum of the amounts that passes within `window`, per key. */
  readonly limit: number
  /** What `limit` counts. */
  readonly unit: string
  readonly window: Duration.Duration
}

type Key = string | number

/** Serialises the callers of each key until the transaction ends. Sorted, so that two callers cannot deadlock. */
export const lock = (policy: LogPolicy, keys: ReadonlyArray<Key>): Statements<void> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => {
    const names = keys.map((key) => `${policy.name} ${key}`).toSorted()
    return Effect.asVoid(
      sql`select pg_advisory_xact_lock(hashtextextended(name, 0)) from unnest(${names}::text[]) as name`
    )
  })

/**
 * Time until an event of `amount` passes under all keys: 0 now, otherwise whole seconds between 1 and the window. Call
 * it after `lock`, except where an event above the limit does no harm.
 */
export const wait = (policy: LogPolicy, keys: ReadonlyArray<Key>, amount: number = 1): Statements<number> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const window = Duration.toSeconds(policy.window)
    if (amount > policy.limit) return window
    const [at, key] = [sql(policy.at), sql(policy.key)]
    const size = policy.amount === undefined ? sql.literal("1") : sql(policy.amount)
    // Newest first: the event passes once the first row that makes the sum too large has left the window.
    const [full] = yield* sql<{ wait: number | null }>`
      select extract(epoch from max(at) - now())::float8 + ${window}::float8 as wait from (
        select ${at} as at, sum(${size}) over (partition by ${key} order by ${at} desc) as used
          from ${sql(policy.table)}
          where ${sql.in(policy.key, keys)} and ${younger(sql, policy)} and ${only(sql, policy)}
      ) as recent where used > ${policy.limit - amount}`
    return full!.wait === null ? 0 : Math.min(window, Math.max(1, Math.ceil(full!.wait)))
  })

/** Deletes the rows that count for none of the policies of one table; returns the number of rows. */
export const prune = (first: LogPolicy, ...others: ReadonlyArray<LogPolicy>): Statements<number> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const policies = [first, ...others]
    const shortest = Math.min(...policies.map(({ window }) => Duration.toSeconds(window)))
    const counted = sql.or(policies.map((policy) => sql.and([only(sql, policy), younger(sql, policy)])))
    // Skips locked rows, because two deletes that wait for each other's rows could deadlock.
    const gone = yield* sql`delete from ${sql(first.table)} where ctid in (
      select ctid from ${sql(first.table)}
        where ${sql(first.at)} <= now() - make_interval(secs => ${shortest}) and not ${counted}
        for update skip locked) returning 1`
    return gone.length
  })

type Statements<A> = Effect.Effect<A, SqlError.SqlError, SqlClient.SqlClient>

const younger = (sql: SqlClient.SqlClient, { at, window }: LogPolicy) =>
  sql`${sql(at)} > now() - make_interval(secs => ${Duration.toSeconds(window)})`

const only = (sql: SqlClient.SqlClient, policy: LogPolicy) => policy.only?.(sql) ?? sql`true`
