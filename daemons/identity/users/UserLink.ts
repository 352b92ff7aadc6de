/** One-time sign-in links that somebody makes for another: the invitation of who has no password yet, else a reset. */
import { Effect, Redacted } from "effect"
import { SignInLinks } from "../sessions/Exports.ts"
import * as Accounts from "./Accounts.ts"
import type { AuditActor } from "./AuditActor.ts"
import { held, note, notOneself } from "./UserChanges.ts"

export interface UserLink {
  readonly token: Redacted.Redacted
  readonly purpose: "invitation" | "reset"
  readonly expiresAt: Date
}

/** Makes one in the surrounding transaction; the one before of its kind is void. */
export const makeLink = Effect.fnUntraced(function* (actor: AuditActor, id: number) {
  const account = yield* held(actor, id)
  yield* notOneself(actor, id, "A link is for somebody else; change your own password with POST /api/v1/auth/password.")
  const purpose = (yield* Accounts.credentialsOf(id))!.password_hash === null ? "invitation" : "reset"
  const token = yield* SignInLinks.make(id, account.tenant_id, purpose)
  yield* note(actor, account, "user.link_made", { purpose })
  return { token, purpose, expiresAt: new Date(Date.now() + SignInLinks.linkLifetimes[purpose] * 1000) } as UserLink
})

/**
 * Where it is opened. The token stands behind the #, which no browser sends and no log sees. `base` has no slash at its
 * end.
 */
export const linkAddress = (base: string, token: Redacted.Redacted): string =>
  `${base}/api/v1/auth/welcome#${Redacted.value(token)}`
