/**
 * Mail tokens, with which a signed-in user's mail client signs in to the mail server. Valid for an hour, for one
 * address, and no longer than the session that requested them.
 */
import { Clock, Context, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql"
import { randomUUID } from "node:crypto"
import type { CallerInfo } from "#core/auth/Caller.ts"
import { mailTokenLifetime } from "#core/auth/TokenClaims.ts"
import type { NotFresh } from "#core/lane/Projection.ts"
import type { SecretError } from "#core/config/Secrets.ts"
import { normaliseEmail } from "#protocols/mail-address/EmailAddress.ts"
import type { NoSigningKey } from "#core/auth/Signer.ts"
import { SigningKeys } from "#core/auth/SigningKeys.ts"
import { type CachedMailAccount, MailAccountsProjection } from "./MailAccountsProjection.ts"

type User = Extract<CallerInfo, { readonly kind: "user" }>

/**
 * Chooses the account: the requested one, else the first, which is the user's default. Another account is never taken
 * instead, because the client would read and send from a mailbox that nobody named. Pure. `none`: does not exist or
 * belongs to another user; `suspended`: belongs to the user but is suspended.
 */
export const choose = (
  accounts: ReadonlyArray<CachedMailAccount>,
  user: User,
  requested: string | undefined
): CachedMailAccount | "none" | "suspended" => {
  const own = accounts.filter(({ state, tenantId }) => tenantId === user.tenantId && state !== "deleted")
  const account = requested === undefined ? own[0] : own.find(({ address }) => address === requested)
  return account === undefined ? "none" : account.state === "active" ? account : "suspended"
}

/** A token with its address and lifetime. */
export interface MailToken {
  readonly token: string
  readonly email: string
  readonly expiresIn: number
}

export class MailTokens extends Context.Service<
  MailTokens,
  {
    /**
     * Issues a token for the user's account with this address, or for the default account. Returns the reason when
     * there is none.
     */
    readonly issue: (
      user: User,
      email: string | undefined
    ) => Effect.Effect<MailToken | "none" | "suspended", NotFresh | NoSigningKey | SecretError | SqlError.SqlError>
  }
>()("signalbox/identity/MailTokens") {}

export const layer: Layer.Layer<MailTokens, never, MailAccountsProjection | SigningKeys> = Layer.effect(
  MailTokens,
  Effect.gen(function* () {
    const accounts = yield* MailAccountsProjection
    const keys = yield* SigningKeys
    return MailTokens.of({
      issue: Effect.fnUntraced(function* (user, email) {
        const pick = Effect.sync(() =>
          choose(
            accounts.ofUser(user.userId),
            user,
            email === undefined ? undefined : (normaliseEmail(email) ?? email.trim().toLowerCase())
          )
        )
        yield* accounts.ensureWhenBusy
        let chosen = yield* pick
        if (typeof chosen === "string") {
          // The account may have been created or reactivated after the last comparison.
          yield* accounts.refreshWhenBusy
          chosen = yield* pick
        }
        if (typeof chosen === "string") return chosen
        const token = yield* keys.sign({
          type: "mail_access",
          userId: user.userId,
          tenantId: user.tenantId,
          session: user.session,
          id: randomUUID(),
          email: chosen.address,
          expires: Math.floor((yield* Clock.currentTimeMillis) / 1000) + mailTokenLifetime
        })
        return { token, email: chosen.address, expiresIn: mailTokenLifetime }
      })
    })
  })
)
