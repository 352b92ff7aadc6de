/**
 * Announces the chat of an account, so that messages can be sent there. Runs in the transaction of the change, after
 * the change.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { MessengerChatChanged } from "#core/contracts/Messenger.ts"
import { Events } from "#core/events/Events.ts"
import { source } from "../users/Exports.ts"
import { chatOf } from "./MessengerStore.ts"

/** Emits the account's confirmed chat, or null, to its owner alone. The caller has locked the account. */
export const announceChat = Effect.fnUntraced(function* (accountId: number) {
  const sql = yield* SqlClient.SqlClient
  const events = yield* Events
  const [account] = yield* sql<{
    tenant_id: number
    version: number
  }>`select tenant_id, version from identity.account where id = ${accountId}`
  if (account === undefined) return
  const chat_id = (yield* chatOf(accountId)) ?? null
  yield* events.emit(
    MessengerChatChanged,
    source,
    { user_id: accountId, chat_id, ...account },
    { tenantId: account.tenant_id, userId: accountId }
  )
})
