/**
 * Changes of users and their rules. Each function runs in the surrounding transaction with its role, and writes the
 * audit log. It ends sessions that the change makes invalid; the caller then refreshes Standing after the commit. Users
 * of other tenants are not found.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as Audit from "#core/log/Audit.ts"
import { providerTenant } from "#core/auth/Caller.ts"
import type { Role } from "#core/auth/Roles.ts"
import { NotFound } from "#core/http/Problem.ts"
import { type EndReason, endSessions, OwnSessions, SignInLinks } from "../sessions/Exports.ts"
import * as Accounts from "./Accounts.ts"
import { type AuditActor, missingPermission } from "./AuditActor.ts"
import { emitSecurityChanged } from "./SecurityEvents.ts"
import { EmailTaken, LastAdmin, OwnAccount, RoleExceeds } from "./Errors.ts"

export const noSuchUser = new NotFound({ detail: "There is no such user." })

/**
 * Refuses a role with permissions that the actor lacks. Otherwise an actor could gain those permissions by creating or
 * taking over an account.
 */
const requireRoleWithin = (actor: AuditActor, role: Role): Effect.Effect<void, RoleExceeds> => {
  const permission = missingPermission(actor, role)
  return permission === undefined
    ? Effect.void
    : Effect.fail(
        new RoleExceeds({ permission, detail: `The role ${role} has the permission ${permission}, which you lack.` })
      )
}

/** Fails when the account belongs to the actor. */
export const refuseOwnAccount = (actor: AuditActor, id: number, instead: string): Effect.Effect<void, OwnAccount> =>
  actor.userId === id ? Effect.fail(new OwnAccount({ detail: instead })) : Effect.void

/**
 * Locks the account until the transaction ends and returns it. A concurrent sign-in has either opened its session
 * before, which is then ended with the others, or waits and sees the changed account.
 */
export const lockUser = Effect.fnUntraced(function* (actor: AuditActor, id: number) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`select 1 from identity.account where id = ${id} for update`
  const account = yield* Accounts.get(id)
  if (account === undefined) return yield* noSuchUser
  yield* requireRoleWithin(actor, account.role)
  return account
})

/**
 * Serialises changes that could remove the provider's last administrator, so that two administrators cannot remove each
 * other. Taken before any account lock.
 */
const lockAdmins = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`select pg_advisory_xact_lock(hashtext('identity.last_admin'))`
)

/** Fails when the account is the provider's last active administrator. */
const refuseLastAdmin = Effect.fnUntraced(function* (account: Accounts.Account) {
  if (account.tenant_id !== providerTenant || account.role !== "admin" || account.state !== "active") return
  const sql = yield* SqlClient.SqlClient
  const [other] = yield* sql`select 1 from identity.account
    where tenant_id = ${providerTenant} and role = 'admin' and state = 'active' and id <> ${account.id} limit 1`
  if (other === undefined) {
    return yield* new LastAdmin({ detail: "Create or activate another admin of the provider first." })
  }
})

/** Writes a change of a user to the audit log. */
export const writeAudit = (
  actor: AuditActor,
  { id, tenant_id }: Pick<Accounts.Account, "id" | "tenant_id">,
  action: string,
  detail: Audit.Entry["detail"] = {}
) =>
  Audit.write({
    tenantId: tenant_id,
    actor: actor.name,
    action,
    entity: "user",
    id: String(id),
    address: actor.address,
    detail
  })

const emailTaken = () =>
  Effect.fail(new EmailTaken({ detail: "Choose another address, or change the address of that account." }))

/** A change that does not affect the address. */
const changeAccount = (id: number, to: Pick<Accounts.Change, "state" | "passwordHash">) =>
  Effect.catchTag(Accounts.change(id, to), "EmailTaken", Effect.die)

/** Creates a user. `email` must be normalised, and `passwordHash` computed before the transaction. */
export const create = Effect.fnUntraced(function* (actor: AuditActor, account: Accounts.NewAccount) {
  yield* requireRoleWithin(actor, account.role)
  const created = yield* Effect.catchTag(Accounts.create(account), "EmailTaken", emailTaken)
  yield* writeAudit(actor, created, "user.created", {
    role: created.role,
    password: account.passwordHash !== undefined
  })
  return created
})

/** Fields of an update. */
export type Update = Pick<Accounts.Change, "email" | "name" | "role" | "locale" | "time_zone">

/** Changes the fields that differ. A new role ends the user's sessions, because their tokens contain the old role. */
export const update = Effect.fnUntraced(function* (actor: AuditActor, id: number, to: Update) {
  if (to.role !== undefined) yield* lockAdmins
  const before = yield* lockUser(actor, id)
  const names = (["email", "name", "role", "locale", "time_zone"] as const).filter(
    (name) => to[name] !== undefined && to[name] !== before[name]
  )
  if (names.length === 0) return before
  const role = names.includes("role") ? to.role : undefined
  if (role !== undefined) {
    yield* refuseOwnAccount(actor, id, "Ask another admin to change your role.")
    yield* requireRoleWithin(actor, role)
    if (role !== "admin") yield* refuseLastAdmin(before)
  }
  const after = (yield* Effect.catchTag(Accounts.change(id, to), "EmailTaken", emailTaken))!
  yield* writeAudit(actor, after, "user.changed", {
    changed: names,
    ...(role === undefined ? {} : { role: { from: before.role, to: role } })
  })
  if (role !== undefined) yield* endSessions({ account: id }, "account_changed")
  return after
})

/** Suspends a user: ends all sessions and prevents signing in. */
export const suspend = Effect.fnUntraced(function* (actor: AuditActor, id: number) {
  yield* lockAdmins
  const account = yield* lockUser(actor, id)
  yield* refuseOwnAccount(actor, id, "Ask another admin to suspend your account.")
  if (account.state === "suspended") return account
  yield* refuseLastAdmin(account)
  const after = (yield* changeAccount(id, { state: "suspended" }))!
  yield* writeAudit(actor, after, "user.suspended")
  yield* endSessions({ account: id }, "account_suspended")
  return after
})

/** Lets a suspended user sign in again. */
export const unsuspend = Effect.fnUntraced(function* (actor: AuditActor, id: number) {
  const account = yield* lockUser(actor, id)
  if (account.state === "active") return account
  const after = (yield* changeAccount(id, { state: "active" }))!
  yield* writeAudit(actor, after, "user.unsuspended")
  return after
})

export const ownPassword = "Change your own password with POST /api/v1/auth/password."

/** Sets the password of another user and ends all sessions of that user. */
export const setPassword = Effect.fnUntraced(function* (actor: AuditActor, id: number, passwordHash: string) {
  yield* lockUser(actor, id)
  yield* refuseOwnAccount(actor, id, ownPassword)
  const after = (yield* changeAccount(id, { passwordHash }))!
  yield* writeAudit(actor, after, "user.password_set")
  yield* endSessions({ account: id }, "password_changed")
  yield* SignInLinks.revokeAll(id)
  yield* emitSecurityChanged(after, "password_changed")
  return after
})

/** Ends all sessions of a user; returns their number. */
export const signOut = Effect.fnUntraced(function* (actor: AuditActor, id: number, because: EndReason = "revoked") {
  const account = yield* lockUser(actor, id)
  const ended = yield* endSessions({ account: id }, because)
  if (ended.length > 0) yield* writeAudit(actor, account, "user.signed_out", { sessions: ended.length })
  if (ended.length > 0 && actor.userId !== id) yield* emitSecurityChanged(account, "sessions_ended")
  return ended.length
})

/** Active sessions of a user, newest first, at most `limit`. */
export const sessionsOf = Effect.fnUntraced(function* (id: number, limit: number) {
  if ((yield* Accounts.get(id)) === undefined) return yield* noSuchUser
  return yield* OwnSessions.list(id, limit)
})

/** Ends one session of a user. */
export const endSession = Effect.fnUntraced(function* (actor: AuditActor, id: number, session: string) {
  const account = yield* lockUser(actor, id)
  const ended = yield* endSessions({ session, account: id }, "revoked")
  if (ended.length === 0) return yield* new NotFound({ detail: "The user has no such session." })
  yield* writeAudit(actor, account, "user.signed_out", { sessions: 1 })
  if (actor.userId !== id) yield* emitSecurityChanged(account, "sessions_ended")
})

/** Deletes a user with all dependent rows. */
export const remove = Effect.fnUntraced(function* (actor: AuditActor, id: number) {
  yield* lockAdmins
  const account = yield* lockUser(actor, id)
  yield* refuseOwnAccount(actor, id, "Ask another admin to delete your account.")
  yield* refuseLastAdmin(account)
  const sql = yield* SqlClient.SqlClient
  yield* endSessions({ account: id }, "account_deleted")
  yield* sql`delete from identity.setting where scope = 'user' and scope_id = ${String(id)}`
  yield* Accounts.remove(id)
  yield* writeAudit(actor, account, "user.deleted", { email: account.email, role: account.role })
  return account
})
