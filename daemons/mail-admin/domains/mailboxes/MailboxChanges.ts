/** Changes of mailboxes and their rules. Each runs in the surrounding transaction and writes the audit log. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { AddressTaken } from "../Errors.ts"
import { held as heldDomain, refusePending } from "../Domains.ts"
import { note } from "../AuditNote.ts"
import { cutSessions } from "../../session-cuts/Exports.ts"
import * as Mailboxes from "./Mailboxes.ts"
import { userAt } from "./Owners.ts"

/** Fails when a mailbox or an alias has this address. The caller must have locked the domain. */
export const free = Effect.fnUntraced(function* (domainId: number, localPart: string, but: "mailbox" | "alias") {
  const sql = yield* SqlClient.SqlClient
  const mailbox =
    yield* sql`select 1 from mail_admin.mailbox where domain_id = ${domainId} and local_part = ${localPart}`
  if (mailbox.length > 0) return yield* new AddressTaken({ detail: "A mailbox has this address." })
  if (but === "alias") return
  const alias = yield* sql`select 1 from mail_admin.alias where domain_id = ${domainId} and source = ${localPart}`
  if (alias.length > 0)
    return yield* new AddressTaken({ detail: "An alias has this address and would receive the mailbox's mail." })
})

/**
 * Creates a mailbox in an existing domain. Without `userId` it gets the user of the tenant who has its address.
 * `address` was computed before the transaction, which is safe because domains are never renamed.
 */
export const create = Effect.fnUntraced(function* (mailbox: Omit<Mailboxes.NewMailbox, "tenantId">) {
  const domain = yield* heldDomain(mailbox.domainId)
  yield* refusePending(domain)
  yield* free(domain.id, mailbox.localPart, "mailbox")
  const tenantId = domain.tenant_id
  const userId = mailbox.userId ?? (yield* userAt(tenantId, mailbox.address))
  const made = yield* Mailboxes.create({ ...mailbox, tenantId, userId })
  yield* note("mail_account", made, "created", {
    address: made.address,
    user_id: made.user_id,
    quota_mb: made.quota_mb
  })
  return made
})

/** Fields of an existing mailbox that a request changes; `userId` null removes the user. */
export interface Update extends Pick<Mailboxes.Change, "passwordHash" | "quota"> {
  readonly userId?: number | null
}

/** Sets the given fields. An equal quota or user is not a change. */
export const update = Effect.fnUntraced(function* (id: number, { userId, ...to }: Update) {
  const before = yield* Mailboxes.held(id)
  const linked = yield* withUser(before, userId)
  const quota = to.quota !== undefined && to.quota !== before.quota_mb
  if (!quota && to.passwordHash === undefined) return linked
  const after = yield* Mailboxes.change(id, to)
  if (to.passwordHash !== undefined) {
    yield* note("mail_account", after, "password_set", { address: after.address })
    yield* cutSessions(after.address)
  }
  if (quota)
    yield* note("mail_account", after, "quota_set", {
      address: after.address,
      quota_mb: { from: before.quota_mb, to: after.quota_mb }
    })
  return after
})

/** Sets or removes the user. Ends the sessions of the former user, who signed in by mail token. */
const withUser = Effect.fnUntraced(function* (before: Mailboxes.Mailbox, userId: number | null | undefined) {
  if (userId === undefined) return before
  if (userId === before.user_id) {
    if (userId === null) yield* Mailboxes.keepUnlinked(before.id)
    return before
  }
  const after = yield* Mailboxes.setUser(before, userId, userId !== null)
  yield* note("mail_account", after, "user_set", {
    address: after.address,
    user_id: { from: before.user_id, to: userId }
  })
  if (before.user_id !== null) yield* cutSessions(after.address)
  return after
})

/** Suspends or reactivates a mailbox. Does nothing when it already has the state. */
export const setState = Effect.fnUntraced(function* (id: number, state: Mailboxes.Mailbox["state"]) {
  const before = yield* Mailboxes.held(id)
  if (before.state === state) return before
  const after = yield* Mailboxes.change(id, { state })
  yield* note("mail_account", after, state === "active" ? "unsuspended" : "suspended", { address: after.address })
  if (state === "suspended") yield* cutSessions(after.address)
  return after
})

export const remove = Effect.fnUntraced(function* (id: number) {
  const mailbox = yield* Mailboxes.get(id)
  // Locks the domain before the mailbox, in the same order as deleting a domain.
  yield* heldDomain(mailbox.domain_id)
  yield* gone(yield* Mailboxes.held(id))
})

/** Deletes all mailboxes of a domain. The caller must have locked the domain. */
export const removeAll = Effect.fnUntraced(function* (domainId: number) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ id: number }>`select id from mail_admin.mailbox where domain_id = ${domainId} order by id`
  for (const { id } of rows) yield* gone(yield* Mailboxes.get(id))
})

const gone = Effect.fnUntraced(function* (mailbox: Mailboxes.Mailbox) {
  yield* Mailboxes.remove(mailbox)
  yield* note("mail_account", mailbox, "deleted", { address: mailbox.address })
  yield* cutSessions(mailbox.address)
})
