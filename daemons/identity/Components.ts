import { Effect } from "effect"
import { Standing } from "#core/auth/Standing.ts"
import type { Component } from "#core/daemon/Health.ts"
import { MailAccountsProjection } from "./mail-login/MailAccountsProjection.ts"

/** Without a key that signs nobody signs in; a picture nobody has asked for yet is no fault. */
export const components: Effect.Effect<
  Readonly<Record<string, Component>>,
  never,
  Standing | MailAccountsProjection
> = Effect.gen(function* () {
  const standing = yield* Standing
  const accounts = yield* MailAccountsProjection
  const keys = standing.keys(Date.now())
  return {
    signing_keys:
      standing.age() === Number.POSITIVE_INFINITY || keys.length > 0
        ? { status: "ok", keys: keys.length }
        : { status: "down", detail: "no key verifies: the actor `signing keys` says why none was made" },
    standing: { status: "ok", compared_ms_ago: seen(standing.age()) },
    mail_accounts: { status: "ok", accounts: accounts.size(), compared_ms_ago: seen(accounts.age()) }
  }
})

/** Unit: milliseconds; null before the first comparison. */
const seen = (age: number): number | null => (Number.isFinite(age) ? Math.round(age) : null)
