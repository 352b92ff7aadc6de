/**
 * Keeps our own mailboxes as accounts, from `mail.account.*` events. The event with the highest version wins, in any
 * order. A deleted mailbox keeps its address and version, so an older event cannot restore it; all other data is
 * deleted. A mailbox that changes its owner becomes a new account.
 */
import { Effect, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { type MailAccount, MailAccountChanged, mailAccountPattern } from "#core/contracts/MailAccounts.ts"
import { type Event, Events } from "#core/events/Events.ts"
import { transaction } from "#core/sql/Sql.ts"
import type { ActorSpec } from "#core/supervision/Supervisor.ts"
import { Wake } from "#core/events/Wake.ts"
import { accountTopic } from "./Account.ts"
import { userLock } from "./UserLock.ts"

/** Stored row of an address. */
export interface StoredAccount {
  readonly tenant_id: number
  readonly user_id: number | null
  readonly version: number
  readonly gone: boolean
}

/** Compares the stored row with an event. `replace`: delete the stored account and insert a new one. Pure. */
export const decide = (
  stored: StoredAccount | undefined,
  event: MailAccount
): "ignore" | "insert" | "update" | "replace" => {
  if (stored === undefined) return "insert"
  if (stored.version >= event.version) return "ignore"
  const same =
    stored.tenant_id === event.tenant_id &&
    stored.user_id === event.user_id &&
    !stored.gone &&
    event.state !== "deleted"
  return same ? "update" : "replace"
}

/** Event consumer, placed once in the fleet. */
export const ownAccounts: Effect.Effect<ActorSpec<never>, never, Events | SqlClient.SqlClient | Wake> = Effect.gen(
  function* () {
    const events = yield* Events
    const context = yield* Effect.context<SqlClient.SqlClient | Wake>()
    return events.consumer({
      name: "mail-watcher.own-accounts",
      pattern: mailAccountPattern,
      from: "beginning",
      handle: (event: Event) =>
        isAccount(event.data)
          ? Effect.provideContext(transaction(store(event.data)), context)
          : Effect.logError(`event ${event.id} (${event.type}) is not a valid mail account event; skipped`)
    })
  }
)

/** The contract has only plain fields, so the encoded form equals the decoded form. */
const isAccount = Schema.is(MailAccountChanged.data)

const store = Effect.fnUntraced(function* (
  event: MailAccount
): Effect.fn.Return<void, SqlError.SqlError, SqlClient.SqlClient | Wake> {
  const sql = yield* SqlClient.SqlClient
  const own = sql`address = ${event.address} and kind = 'own'`
  if (event.user_id !== null) yield* userLock(event.tenant_id, event.user_id)
  const [stored] = yield* sql<StoredAccount>`select tenant_id, user_id, version, gone
      from mail_watcher.account where ${own} for update`
  const decision = decide(stored, event)
  if (decision === "ignore") return
  const gone = event.state === "deleted"
  const state = gone ? "suspended" : event.state
  // The user's choice of a default account wins over the event.
  const isDefault =
    event.is_default && !gone
      ? sql`not exists (select 1 from mail_watcher.account o where o.tenant_id = ${event.tenant_id}
        and o.user_id = ${event.user_id}
        and o.is_default and not o.gone and not (o.address = ${event.address} and o.kind = 'own'))`
      : sql`false`
  if (decision === "replace") yield* sql`delete from mail_watcher.account where ${own}`
  if (decision === "update") {
    yield* sql`update mail_watcher.account set state = ${state}, version = ${event.version},
      is_default = is_default or ${isDefault}, updated_at = now() where ${own}`
  } else {
    yield* sql`insert into mail_watcher.account (tenant_id, user_id, address, kind, state, is_default, version, gone)
      values (${event.tenant_id}, ${event.user_id}, ${event.address}, 'own', ${state}, ${isDefault}, ${event.version},
        ${gone})`
  }
  yield* (yield* Wake).announcement(accountTopic)
})
