/**
 * The caller, as far as it is known without waiting. A fast lane passes other requests on to the Authentication
 * middleware, which also reports errors. Both use the same projections, so a revocation takes effect within a second
 * here too.
 */
import { Effect } from "effect"
import type { IncomingHttpHeaders } from "node:http"
import { permits } from "./Authentication.ts"
import type { CallerInfo } from "./Caller.ts"
import type { Permission } from "./Permissions.ts"
import { ServiceTokens } from "./ServiceTokens.ts"
import { hashOf } from "./ServiceTokenStore.ts"
import { Standing } from "./Standing.ts"
import { UserVerifier } from "./UserVerifier.ts"

/** Undefined: the caller is not known yet, or has no access. */
export type CallerNow = (headers: IncomingHttpHeaders, required: Permission) => CallerInfo | undefined

export const make: Effect.Effect<CallerNow, never, Standing | ServiceTokens | UserVerifier> = Effect.gen(function* () {
  const standing = yield* Standing
  const tokens = yield* ServiceTokens
  const users = yield* UserVerifier

  const service = (text: string): CallerInfo | undefined => {
    const found = tokens.findNow(hashOf(text))
    return found === undefined
      ? undefined
      : { kind: "service", tokenId: found.id, name: found.name, scopes: found.scopes }
  }

  return (headers, required) => {
    if (!standing.fresh()) return undefined
    const { authorization, "x-service-token": token } = headers
    const caller =
      typeof token === "string" && token !== ""
        ? service(token)
        : authorization?.startsWith(bearer)
          ? users.findNow(authorization.slice(bearer.length))
          : undefined
    return caller !== undefined && permits(caller, required) ? caller : undefined
  }
})

const bearer = "Bearer "
