/**
 * Counts failed sign-ins by client address, and failed codes also by account. An attempt is counted before it is
 * checked, so that parallel requests cannot exceed the limit. A successful attempt is removed again. Source: interface
 * document 3 §4.2, rule 6.
 */
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { clientKey } from "#core/http/ClientKey.ts"
import { transaction } from "#core/sql/Sql.ts"

export interface Limits {
  /** Period in which attempts are counted. Unit: seconds. */
  readonly window: number
  /** Failures that do not block. One more failure blocks all further attempts within the window. */
  readonly max: number
}

/**
 * Window for codes of one account, from any address. Unit: seconds. Reason: three of a million codes are valid at any
 * time. At ten or eleven tries an hour an attacker who knows the password needs about forty years to guess one.
 */
export const accountWindow = 3_600

/** Too many failures of this address or account. `retryAfter`: whole seconds until the next attempt is allowed. */
export class TooMany extends Schema.TaggedError<TooMany>()("TooMany", { retryAfter: Schema.Int }) {}

/** Counts an attempt of `address`, and of `account` when a code is tried; returns the row ids for `takeBack`. */
export const reserve = (address: string, limits: Limits, account?: number) =>
  transaction(
    Effect.gen(function* () {
      const first = yield* reserveOne(clientKey(address), limits)
      return account === undefined
        ? [first]
        : [first, yield* reserveOne(`account ${account}`, { ...limits, window: accountWindow })]
    })
  )

const reserveOne = Effect.fnUntraced(function* (key: string, { max, window }: Limits) {
  const sql = yield* SqlClient.SqlClient
  // The lock serialises attempts with the same key, so that parallel transactions count each other.
  yield* sql`select pg_advisory_xact_lock(hashtextextended('edge_auth.login ' || ${key}, 0))`
  const [counted] = yield* sql<{ tries: number; wait: number | null }>`select count(*)::int as tries,
      ceil(extract(epoch from (array_agg(attempted_at order by attempted_at desc))[${max + 1}]
        + make_interval(secs => ${window}) - now()))::int as wait
    from edge_auth.login_attempts where ip = ${key} and attempted_at > now() - make_interval(secs => ${window})`
  if (counted!.tries > max) return yield* new TooMany({ retryAfter: Math.max(1, counted!.wait ?? window) })
  const [row] = yield* sql<{
    id: string
  }>`insert into edge_auth.login_attempts (ip) values (${key}) returning id::text as id`
  return row!.id
})

/** Removes attempts that succeeded or could not be checked. */
export const takeBack = Effect.fnUntraced(function* (ids: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`delete from edge_auth.login_attempts where id = any(${ids}::bigint[])`
})

/** Deletes attempts older than their window; returns how many. */
export const prune = Effect.fnUntraced(function* ({ window }: Limits) {
  const sql = yield* SqlClient.SqlClient
  const longest = Math.max(accountWindow, window)
  return (yield* sql`delete from edge_auth.login_attempts where attempted_at < now()
    - make_interval(secs => case when starts_with(ip, 'account ') then ${longest}::int else ${window}::int end)
    returning 1`).length
})
