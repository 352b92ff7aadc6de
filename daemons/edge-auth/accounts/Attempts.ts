/**
 * Failed sign-ins by client address. A try is counted before it is judged, so that a hundred at once are not a hundred guesses, and taken
 * back when it turns out good. Source: interface document 3 §4.2, rule 6.
 */
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { clientKey } from "#core/http/ClientKey.ts"
import { transaction } from "#core/Sql.ts"

export interface Limits {
  /** Unit: seconds. */
  readonly window: number
  /** Failures that are let pass; the one above blocks. */
  readonly max: number
}

/** Too many failures of this address. `retryAfter`: whole seconds until one can be tried again. */
export class TooMany extends Schema.TaggedError<TooMany>()("TooMany", { retryAfter: Schema.Int }) {}

/** Counts a try of `address`; answers what `takeBack` wants. */
export const reserve = (address: string, { max, window }: Limits) =>
  transaction(Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const ip = clientKey(address)
    // One after another for one address: those who count at the same time see each other.
    yield* sql`select pg_advisory_xact_lock(hashtextextended('edge_auth.login ' || ${ip}, 0))`
    const [counted] = yield* sql<{ tries: number; wait: number | null }>`select count(*)::int as tries,
        ceil(extract(epoch from (array_agg(attempted_at order by attempted_at desc))[${max + 1}] + make_interval(secs => ${window}) - now()))::int as wait
      from edge_auth.login_attempts where ip = ${ip} and attempted_at > now() - make_interval(secs => ${window})`
    if (counted!.tries > max) return yield* new TooMany({ retryAfter: Math.max(1, counted!.wait ?? window) })
    const [row] = yield* sql<{ id: string }>`insert into edge_auth.login_attempts (ip) values (${ip}) returning id::text as id`
    return row!.id
  }))

/** The try was good, or came to no judgement: it counts no more. */
export const takeBack = Effect.fnUntraced(function*(id: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`delete from edge_auth.login_attempts where id = ${id}::bigint`
})

/** Forgets what is past the window; answers how many. */
export const prune = Effect.fnUntraced(function*({ window }: Limits) {
  const sql = yield* SqlClient.SqlClient
  return (yield* sql`delete from edge_auth.login_attempts where attempted_at < now() - make_interval(secs => ${window}) returning 1`).length
})
