import { Effect } from "effect"
import * as Handlers from "#core/http/Handlers.ts"
import { Standing } from "#core/auth/Standing.ts"
import { orUnavailable } from "#core/http/Problem.ts"
import { type PublicKey, SigningKeysApi } from "./Api.ts"

export const keys = Handlers.group(
  SigningKeysApi,
  "keys",
  Effect.fn(function* (handlers) {
    const standing = yield* Standing
    return handlers.handleAll({
      jwks: Effect.fnUntraced(function* () {
        yield* orUnavailable(standing.ensureWhenBusy)
        return { keys: standing.keys(Date.now()).map(({ jwk }) => jwk as typeof PublicKey.Type) }
      })
    })
  })
)
