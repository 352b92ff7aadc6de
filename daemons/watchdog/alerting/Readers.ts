/**
 * Time zones of the accounts to which the mails about alerts go. Fed from `identity.user.*` since the first event. Runs
 * in the surrounding transaction.
 */
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { UserChanged } from "#core/contracts/Identity.ts"
import type { Consumer } from "#core/events/Events.ts"
import { transaction } from "#core/sql/Sql.ts"

/** Decoding is not needed: the contract's encoded and decoded forms are equal. */
const isUser = Schema.is(UserChanged.data)

/**
 * Stores address and time zone of an account. An event older than the stored one changes nothing. Of a deleted account
 * neither address nor time zone stays.
 */
const store = Effect.fnUntraced(function* (user: typeof UserChanged.data.Type) {
  const sql = yield* SqlClient.SqlClient
  const deleted = user.state === "deleted"
  yield* sql`insert into watchdog.alert_reader as r (user_id, email, time_zone, state, version)
    values (${user.user_id}, ${deleted ? "" : user.email}, ${deleted ? null : (user.time_zone ?? null)}, ${user.state},
      ${user.version})
    on conflict (user_id) do update set email = excluded.email, time_zone = excluded.time_zone, state = excluded.state,
      version = excluded.version
    where r.version < excluded.version`
})

export const readersConsumer: Consumer<SqlClient.SqlClient> = {
  name: "watchdog.readers",
  pattern: "identity.user.*",
  from: "beginning",
  handle: (event) =>
    isUser(event.data)
      ? transaction(store(event.data))
      : Effect.logError(`event ${event.id} (${event.type}) is not a valid user event; skipped`)
}

/**
 * The time zone of a mail to these addresses: that of their accounts. Null, which stands for UTC: an address has no
 * account, an account has no time zone, or they differ.
 */
export const zoneOf = Effect.fnUntraced(function* (addresses: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  const found = yield* sql<{ zone: string | null }>`select (select min(r.time_zone) from watchdog.alert_reader r
      where lower(r.email) = lower(address) and r.state = 'active') as zone
    from unnest(${addresses}::text[]) address`
  const [first] = found
  return first !== undefined && found.every(({ zone }) => zone === first.zone) ? first.zone : null
})
