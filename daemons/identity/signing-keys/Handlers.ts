import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Standing } from "#core/auth/Standing.ts"
import { orUnavailable } from "#core/http/Problem.ts"
import { IdentityApi } from "../Api.ts"

export const keys = HttpApiBuilder.group(
  IdentityApi,
  "keys",
  Effect.fn(function* (handlers) {
    const standing = yield* Standing
    return handlers.handleAll({
      jwks: Effect.fnUntraced(function* () {
        yield* orUnavailable(standing.ensure)
        return { keys: standing.keys(Date.now()).map(({ jwk }) => jwk as never) }
      })
    })
  })
)
