import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { NotFound } from "#core/http/Problem.ts"
import type { Account } from "../accounts/Exports.ts"

/**
 * Locks the account's row until the transaction ends, so concurrent changes run one after the other. 404 when the
 * account was deleted.
 */
export const lockAccount = Effect.fnUntraced(function* ({ id }: Account) {
  const sql = yield* SqlClient.SqlClient
  const found = yield* sql`select 1 from mail_watcher.account where id = ${id} and not gone for no key update`
  if (found.length === 0) return yield* new NotFound({ detail: "You have no such mail account." })
})
