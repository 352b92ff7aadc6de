/**
 * Rate limit kept in Postgres as one counter per key with a fixed window: a window begins with its first event, and all
 * its events expire together. So at most twice the limit passes around the end of a window. All processes share it.
 *
 * For limits on guessing, where strangers choose the keys: a key has one row whatever the number of attempts, and a
 * refused attempt writes nothing. Every other stored limit is a StoredLog.ts.
 *
 * The library rate-limiter-flexible 11.4.0 writes its row at each attempt, also at a refused one, and outside of the
 * transaction. Its part for Postgres has 1,000 lines.
 */
import { Duration, Effect, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { transaction } from "../sql/Sql.ts"

/** A named limit. Table and columns are identifiers from the code, never input. */
export interface CounterPolicy {
  /** Table with its schema. */
  readonly table: string
  /** Column with the key, which is the primary key. Type: text. */
  readonly key: string
  /** Column with the number of events in the current window. Type: int. */
  readonly count: string
  /** Column with the start of the current window. Type: timestamptz. */
  readonly startedAt: string
  /** What is counted. */
  readonly unit: string
  readonly window: Duration.Duration
}

/** A key, and how many events pass under it within a window. */
export interface Bound {
  readonly key: string
  readonly limit: number
}

/** A counted event of one key. */
export interface Held {
  readonly key: string
  /** Begin of the window in which the event was counted; text, because that has microseconds. */
  readonly since: string
}

/** Count of a key before this event. */
export interface Count {
  readonly tries: number
  /** Time until the window ends; zero or less when it has ended. Unit: seconds. */
  readonly secondsLeft: number
}

/** A key has reached its limit. `retryAfter`: whole seconds until an event passes. */
export class Full extends Schema.TaggedError<Full>()("StoredCounterFull", { retryAfter: Schema.Int }) {}

/**
 * Time until an event passes: 0 now, otherwise whole seconds between 1 and `window` (seconds). Pure. `count`: undefined
 * when the key has no row.
 */
export const waitOf = (
  counts: ReadonlyArray<{ readonly count: Count | undefined; readonly limit: number }>,
  window: number
): number => {
  const waits = counts.map(({ count, limit }) => (count === undefined || count.tries < limit ? 0 : count.secondsLeft))
  return Math.min(window, Math.max(0, Math.ceil(Math.max(...waits))))
}

type Statements<A, E = never> = Effect.Effect<A, E | SqlError.SqlError, SqlClient.SqlClient>

export interface StoredCounter {
  /**
   * Counts an event under all keys, or under none and fails. Call it outside transactions, before the event happens, so
   * that concurrent callers cannot exceed the limit. Callers with several kinds of keys give them in one fixed order;
   * rows are locked in that order.
   */
  readonly reserve: (bounds: ReadonlyArray<Bound>) => Statements<ReadonlyArray<Held>, Full>
  /** Takes an event back, unless its window has ended. */
  readonly giveBack: (held: Held) => Statements<void>
  /** Resets the count of a key. */
  readonly reset: (key: string) => Statements<void>
  /** Deletes ended windows; returns the number of rows. Skips locked rows, because waiting for them could deadlock. */
  readonly sweep: Statements<number>
}

export const make = (policy: CounterPolicy): StoredCounter => {
  const window = Duration.toSeconds(policy.window)
  /** The identifiers of the policy, and the seconds until the window of a row named `t` ends. */
  const names = (sql: SqlClient.SqlClient) => {
    const startedAt = sql(policy.startedAt)
    const secondsLeft = sql`extract(epoch from t.${startedAt} + make_interval(secs => ${window}) - now())::float8`
    return { table: sql(policy.table), key: sql(policy.key), count: sql(policy.count), startedAt, secondsLeft }
  }

  const orFull = (bounds: ReadonlyArray<Bound>, rows: ReadonlyArray<Row>) => {
    const counts = bounds.map(({ key, limit }) => ({ count: rows.find((row) => row.key === key), limit }))
    const retryAfter = waitOf(counts, window)
    return retryAfter === 0 ? Effect.void : Effect.fail(new Full({ retryAfter }))
  }

  /** Refuses without writing, so that a flood of attempts causes no writes. */
  const look = Effect.fnUntraced(function* (bounds: ReadonlyArray<Bound>) {
    const sql = yield* SqlClient.SqlClient
    const { count, key, secondsLeft, table } = names(sql)
    const rows = yield* sql<Row>`select ${key} as key, ${count} as tries, ${secondsLeft} as "secondsLeft"
      from ${table} t where ${sql.in(
        policy.key,
        bounds.map((bound) => bound.key)
      )}`
    yield* orFull(bounds, rows)
  })

  const add = Effect.fnUntraced(function* (bounds: ReadonlyArray<Bound>) {
    const sql = yield* SqlClient.SqlClient
    const { count, key, secondsLeft, startedAt, table } = names(sql)
    const keys = bounds.map((bound) => bound.key)
    const rows = yield* sql<Row & Held>`insert into ${table} as t (${key}, ${count}, ${startedAt})
      select key, 1, now() from unnest(${keys}::text[]) with ordinality as given (key, place) order by place
      on conflict (${key}) do update set
        ${count} = case when ${secondsLeft} <= 0 then 1 else t.${count} + 1 end,
        ${startedAt} = case when ${secondsLeft} <= 0 then now() else t.${startedAt} end
      returning t.${key} as key, t.${count} - 1 as tries, ${secondsLeft} as "secondsLeft",
        t.${startedAt}::text as since`
    yield* orFull(bounds, rows)
    return keys.map((key): Held => ({ key, since: rows.find((row) => row.key === key)!.since }))
  })

  return {
    reserve: (bounds) => Effect.andThen(look(bounds), transaction(add(bounds))),
    giveBack: Effect.fnUntraced(function* (held) {
      const sql = yield* SqlClient.SqlClient
      const { count, key, startedAt, table } = names(sql)
      yield* sql`update ${table} set ${count} = ${count} - 1
        where ${key} = ${held.key} and ${startedAt} = ${held.since}::timestamptz and ${count} > 0`
    }),
    reset: Effect.fnUntraced(function* (key) {
      const sql = yield* SqlClient.SqlClient
      yield* sql`delete from ${sql(policy.table)} where ${sql(policy.key)} = ${key}`
    }),
    sweep: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { key, secondsLeft, table } = names(sql)
      const gone = yield* sql`delete from ${table} where ${key} in
        (select ${key} from ${table} t where ${secondsLeft} <= 0 for update skip locked) returning 1`
      return gone.length
    })
  }
}

interface Row extends Count {
  readonly key: string
}
