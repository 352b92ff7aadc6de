/**
 * Links mailboxes to users by e-mail address: a mailbox without a user gets the user of its tenant who has its address,
 * whichever of the two is created first. Users are a table fed from `identity.user.*`. A mailbox whose user was removed
 * by a person is not linked again.
 */
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { UserChanged } from "#core/contracts/Identity.ts"
import { type Event, Events } from "#core/events/Events.ts"
import * as Audit from "#core/log/Audit.ts"
import { transaction } from "#core/sql/Sql.ts"
import { Supervisor } from "#core/supervision/Supervisor.ts"
import { normaliseEmail } from "#protocols/mail-address/EmailAddress.ts"
import { cutSessions, SessionCuts } from "../../session-cuts/Exports.ts"
import * as Mailboxes from "./Mailboxes.ts"

type User = typeof UserChanged.data.Type

/** Serialises the creation of a mailbox and of a user with the same address, so that one of the two sees the other. */
const inTurn = (address: string) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`select pg_advisory_xact_lock(hashtext('mail_admin.owner'), hashtext(${address}))`
  )

/** Id of the tenant's user with this address; null when there is none. */
export const userAt = Effect.fnUntraced(function* (tenantId: number, address: string) {
  const sql = yield* SqlClient.SqlClient
  yield* inTurn(address)
  const [found] = yield* sql<{ user_id: number }>`select user_id from mail_admin.known_user
    where tenant_id = ${tenantId} and email = ${address} and state <> 'deleted' order by user_id limit 1`
  return found?.user_id ?? null
})

/** The contract has only plain fields, so the encoded form equals the decoded form. */
const isUser = Schema.is(UserChanged.data)

/** Registers the consumer of `identity.user.*`. The newest event of each user is kept for a late start. */
export const owners = Effect.gen(function* () {
  const events = yield* Events
  const cuts = yield* SessionCuts.SessionCuts
  const handle = (event: Event) =>
    isUser(event.data)
      ? Effect.provideService(transaction(store(event.data)), SessionCuts.SessionCuts, cuts)
      : Effect.logError(`event ${event.id} (${event.type}) is not a valid user event; skipped`)
  yield* Supervisor.actor(
    events.consumer({ name: "mail-admin.users", pattern: "identity.user.*", from: "beginning", handle })
  )
})

const store = Effect.fnUntraced(function* (user: User) {
  const sql = yield* SqlClient.SqlClient
  const isDeleted = user.state === "deleted"
  const email = isDeleted ? "" : (normaliseEmail(user.email) ?? "")
  yield* inTurn(email)
  const [stored] = yield* sql`insert into mail_admin.known_user as k (user_id, tenant_id, email, state, version)
    values (${user.user_id}, ${user.tenant_id}, ${email}, ${user.state}, ${user.version})
    on conflict (user_id) do update set tenant_id = excluded.tenant_id, email = excluded.email, state = excluded.state,
      version = excluded.version
    where k.version < excluded.version returning 1`
  if (stored === undefined) return
  const mailboxes = isDeleted
    ? yield* sql<{ id: number }>`select id from mail_admin.mailbox
        where tenant_id = ${user.tenant_id} and user_id = ${user.user_id} order by id`
    : email === ""
      ? []
      : yield* sql<{ id: number }>`select id from mail_admin.mailbox where tenant_id = ${user.tenant_id}
          and address = ${email} and user_id is null and links_by_address`
  for (const { id } of mailboxes) yield* link(id, isDeleted ? null : user.user_id)
})

/** A mailbox that was deleted in the meantime needs no user. */
const link = (id: number, userId: number | null) =>
  Effect.gen(function* () {
    const before = yield* Mailboxes.held(id)
    const after = yield* Mailboxes.setUser(before, userId)
    yield* Audit.write({
      tenantId: after.tenant_id,
      actor: "system",
      action: userId === null ? "mail_account.user_deleted" : "mail_account.user_linked",
      entity: "mail_account",
      id: String(id),
      detail: { address: after.address, user_id: { from: before.user_id, to: userId } }
    })
    if (userId === null) yield* cutSessions(after.address)
  }).pipe(Effect.catchTag("NotFound", () => Effect.void))
