/**
 * Users of any tenant without anybody who signs them in: `user:<tenant>:<permission>` is a token; `*` holds every
 * permission, nothing none. `user:<tenant>:<permission>:<number>` is another user of that tenant.
 */
import { Effect, Layer, Redacted } from "effect"
import type { CallerInfo } from "#core/auth/Caller.ts"
import { all } from "#core/auth/Permissions.ts"
import { TokenRefused, UserVerifier } from "#core/auth/UserVerifier.ts"
import type { Who } from "./walk/Case.ts"

/** The user of a tenant whose token names none. */
export const firstOf = (tenant: number): number => tenant * 10

/** For `startSuite`. */
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

/** Such a user, as a walk calls. */
export const fakeUser = (name: string, tenant: number, held = "*", member = firstOf(tenant)): Who => ({
  name,
  tenant,
  headers: { authorization: `Bearer user:${tenant}:${held}:${member}` },
  mark: `mark-of-${name}-x7q4`
})
