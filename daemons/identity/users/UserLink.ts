/**
 * One-time sign-in links that an administrator creates for a user: an invitation when the user has no password yet,
 * else a password reset.
 */
import { Effect, Redacted } from "effect"
import { SignInLinks } from "../sessions/Exports.ts"
import * as Accounts from "./Accounts.ts"
import type { AuditActor } from "./AuditActor.ts"
import { lockUser, writeAudit, refuseOwnAccount, ownPassword } from "./UserChanges.ts"

export interface UserLink {
  readonly token: Redacted.Redacted
  readonly purpose: "invitation" | "reset"
  readonly expiresAt: Date
}

/** Creates a link in the surrounding transaction. The previous link of the same purpose becomes invalid. */
export const makeLink = Effect.fnUntraced(function* (actor: AuditActor, id: number) {
  const account = yield* lockUser(actor, id)
  yield* refuseOwnAccount(actor, id, ownPassword)
  const purpose = (yield* Accounts.credentialsOf(id))!.password_hash === null ? "invitation" : "reset"
  const token = yield* SignInLinks.make(id, account.tenant_id, purpose)
  yield* writeAudit(actor, account, "user.link_made", { purpose })
  return { token, purpose, expiresAt: new Date(Date.now() + SignInLinks.linkLifetimes[purpose] * 1000) } as UserLink
})

/**
 * URL of a link. The token is in the fragment, which browsers do not send and logs do not contain. `base` has no
 * trailing slash.
 */
export const linkAddress = (base: string, token: Redacted.Redacted): string =>
  `${base}/api/v1/auth/welcome#${Redacted.value(token)}`
