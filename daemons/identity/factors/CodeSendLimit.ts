/**
 * Rate limit of sent codes per account and per chat. Stored separately from the codes, so that a new code or a removed
 * factor does not reset it.
 */
import { Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as StoredLog from "#core/limits/StoredLog.ts"
import { transaction } from "#core/sql/Sql.ts"

/**
 * Codes sent for one account, and to one chat. Reason of the limit: two messages may be lost. Reason of the window:
 * twice the lifetime of a code.
 */
export const codeSends: StoredLog.LogPolicy = {
  name: "identity.code_send",
  table: "identity.code_send",
  key: "key",
  at: "sent_at",
  limit: 3,
  unit: "codes",
  window: Duration.minutes(10)
}

/**
 * Reserves one send for the account and the chat, in a separate transaction that covers all tenants. Returns undefined
 * when it is reserved, else the number of seconds after which the caller may try again. Concurrent calls for the same
 * account or chat are serialised.
 */
export const reserveSend = Effect.fnUntraced(function* (accountId: number, chatId: string) {
  const sql = yield* SqlClient.SqlClient
  const keys = [`account ${accountId}`, `chat ${chatId}`]
  return yield* transaction(
    Effect.gen(function* () {
      yield* StoredLog.lock(codeSends, keys)
      yield* StoredLog.prune(codeSends)
      const wait = yield* StoredLog.wait(codeSends, keys)
      if (wait > 0) return wait
      yield* sql`insert into identity.code_send (key) select unnest(${keys}::text[])`
      return undefined
    })
  )
})
