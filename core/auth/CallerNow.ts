/**
 * Who calls, as far as that is known without waiting: for a fast lane that leaves everybody else to the Authentication
 * middleware, which also says what is wrong. From the same pictures, so that what is taken back is taken back within
 * the second here as well.
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

/** Undefined: not known yet, or not to be let in. */
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
