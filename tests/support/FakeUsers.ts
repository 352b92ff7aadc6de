/** Users of any tenant without anybody who signs them in: `user:<tenant>:<permission>` is a token; `*` holds every permission, nothing none. */
import { Effect, Layer, Redacted } from "effect"
import type { CallerInfo } from "#core/auth/Caller.ts"
import { all } from "#core/auth/Permissions.ts"
import { TokenRefused, UserVerifier } from "#core/auth/UserVerifier.ts"
import type { Who } from "./walk/Case.ts"

/** For `startSuite`. */
export const fakeUsers: Layer.Layer<UserVerifier> = Layer.succeed(UserVerifier, UserVerifier.of({
  verify: (token) => {
    const [kind, tenant, held] = Redacted.value(token).split(":")
    return kind === "user"
      ? Effect.succeed<CallerInfo & { readonly kind: "user" }>({
        kind: "user",
        userId: Number(tenant) * 10,
        tenantId: Number(tenant),
        role: "user",
        session: "none",
        permissions: new Set(all.filter((permission) => held === "*" || permission === held))
      })
      : Effect.fail(new TokenRefused({ reason: "unknown_key" }))
  }
}))

/** Such a user, as a walk calls. */
export const fakeUser = (name: string, tenant: number, held = "*"): Who => ({
  name,
  tenant,
  headers: { authorization: `Bearer user:${tenant}:${held}` },
  mark: `mark-of-${name}-x7q4`
})
