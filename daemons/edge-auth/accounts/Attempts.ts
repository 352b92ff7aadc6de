/**
 * Failed sign-ins by client address, and failed codes by account, too. A try is counted before it is judged, so that a
 * hundred at once are not a hundred guesses, and taken back when it turns out good. Source: interface document 3 §4.2,
 * rule 6.
 */
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { clientKey } from "#core/http/ClientKey.ts"
import { transaction } from "#core/sql/Sql.ts"

export interface Limits {
  /** Unit: seconds. */
  readonly window: number
  /** Failures that are let pass; the one above blocks. */
  readonly max: number
}

/**
 * Window for codes of one account, whatever the address. Unit: seconds. Reason: three of a million codes are good at a
 * time; at ten or eleven tries an hour somebody who has the password guesses one in some forty years.
 */
export const accountWindow = 3_600

/** Too many failures of this address or account. `retryAfter`: whole seconds until one can be tried again. */
export class TooMany extends Schema.TaggedError<TooMany>()("TooMany", { retryAfter: Schema.Int }) {}

/** Counts a try of `address`, and of `account` where a code is tried; answers what `takeBack` wants. */
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
  // One after another for one address: those who count at the same time see each other.
  yield* sql`select pg_advisory_xact_lock(hashtextextended('edge_auth.login ' || ${key}, 0))`
  const [counted] = yield* sql<{ tries: number; wait: number | null }>`select count(*)::int as tries,
      ceil(extract(epoch from (array_agg(attempted_at order by attempted_at desc))[${max + 1}] + make_interval(secs => ${window}) - now()))::int as wait
    from edge_auth.login_attempts where ip = ${key} and attempted_at > now() - make_interval(secs => ${window})`
  if (counted!.tries > max) return yield* new TooMany({ retryAfter: Math.max(1, counted!.wait ?? window) })
  const [row] = yield* sql<{
    id: string
  }>`insert into edge_auth.login_attempts (ip) values (${key}) returning id::text as id`
  return row!.id
})

/** The try was good, or came to no judgement: it counts no more. */
export const takeBack = Effect.fnUntraced(function* (ids: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`delete from edge_auth.login_attempts where id = any(${ids}::bigint[])`
})

/** Forgets what is past its window; answers how many. */
export const prune = Effect.fnUntraced(function* ({ window }: Limits) {
  const sql = yield* SqlClient.SqlClient
  return (yield* sql`delete from edge_auth.login_attempts
    where attempted_at < now() - make_interval(secs => case when starts_with(ip, 'account ') then greatest(${accountWindow}::int, ${window}::int) else ${window}::int end) returning 1`)
    .length
})
