/**
 * Users of any tenant without sign-in. The token `user:<tenant>:<permission>` is a user with that permission; `*`
 * stands for all permissions, an empty one for none. `user:<tenant>:<permission>:<number>` is a different user of that
 * tenant.
 */
import { Effect, Layer, Redacted } from "effect"
import type { CallerInfo } from "#core/auth/Caller.ts"
import { all } from "#core/auth/Permissions.ts"
import { TokenRefused, UserVerifier } from "#core/auth/UserVerifier.ts"
import type { Who } from "./walk/Case.ts"

/** Id of the user when the token contains no user number. */
export const firstOf = (tenant: number): number => tenant * 10

/** Layer for `startSuite`. */
export const fakeUsers: Layer.Layer<UserVerifier> = Layer.succeed(
  UserVerifier,
  UserVerifier.of({
    verify: (token) => {
      const user = userOf(Redacted.value(token))
      return user === undefined ? Effect.fail(new TokenRefused({ reason: "unknown_key" })) : Effect.succeed(user)
    },
    findNow: (token) => userOf(token)
  })
)

const userOf = (token: string): (CallerInfo & { readonly kind: "user" }) | undefined => {
  const [kind, tenant, held, member] = token.split(":")
  return kind !== "user"
    ? undefined
    : {
        kind,
        userId: member === undefined ? firstOf(Number(tenant)) : Number(member),
        tenantId: Number(tenant),
        role: "user",
        session: "none",
        permissions: new Set(all.filter((permission) => held === "*" || permission === held))
      }
}

/** A fake user as a caller of a walk (tests/support/walk). */
export const fakeUser = (name: string, tenant: number, held = "*", member = firstOf(tenant)): Who => ({
  name,
  tenant,
  headers: { authorization: `Bearer user:${tenant}:${held}:${member}` },
  mark: `mark-of-${name}-x7q4`
})
