/**
 * Rate limit of sent codes per account and per chat. Stored separately from the codes, so that a new code or a removed
 * factor does not reset it.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { transaction } from "#core/sql/Sql.ts"

/**
 * Maximum number of codes sent for one account, and to one chat, within `sendsWindow`. Reason: allows for two lost
 * messages.
 */
export const maxSends = 3

/** Period in which sends are counted. Unit: seconds. Reason: twice the lifetime of a code. */
export const sendsWindow = 600

/**
 * Reserves one send for the account and the chat, in a separate transaction that covers all tenants. Returns undefined,
 * or the seconds to wait. Concurrent calls are serialised.
 */
export const takeSend = Effect.fnUntraced(function* (accountId: number, chatId: string) {
  const sql = yield* SqlClient.SqlClient
  const keys = [`account ${accountId}`, `chat ${chatId}`]
  return yield* transaction(
    Effect.gen(function* () {
      yield* sql`select pg_advisory_xact_lock(hashtext('identity.code_send'))`
      yield* sql`delete from identity.code_send where sent_at <= now() - make_interval(secs => ${sendsWindow})`
      const [spent] = yield* sql<{ wait: number }>`
      select ceil(extract(epoch from max(free_at) - now()))::int as wait from (
        select (array_agg(sent_at order by sent_at desc))[${maxSends}] + make_interval(secs => ${sendsWindow}) as free_at
          from identity.code_send where key = any(${keys}::text[]) group by key having count(*) >= ${maxSends}) as full_ones
      having max(free_at) is not null`
      if (spent !== undefined) return Math.max(1, spent.wait)
      yield* sql`insert into identity.code_send (key) select unnest(${keys}::text[])`
      return undefined
    })
  )
})
