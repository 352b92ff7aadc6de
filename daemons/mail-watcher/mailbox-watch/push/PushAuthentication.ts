/**
 * Authenticates mail servers that report new mail. They send a service token with scope `mail-push` or `platform`, as
 * x-service-token or as the password of HTTP Basic. Some mail servers support only Basic.
 */
import type { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Redacted } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApiMiddleware, HttpApiSecurity } from "effect/http-api"
import type { SqlClient } from "effect/sql"
import { ServiceTokens } from "#core/auth/ServiceTokens.ts"
import type { Scope } from "#core/auth/ServiceTokenStore.ts"
import type { Database } from "#core/sql/Database.ts"
import { client } from "#core/http/Client.ts"
import { Forbidden, InvalidRequest, orUnavailable, Unauthenticated, Unavailable } from "#core/http/Problem.ts"
import * as RefusalLog from "#core/log/RefusalLog.ts"

/** Required scope of the token. */
const pushScope: Scope = "mail-push"

export class PushAuthentication extends HttpApiMiddleware.Service<PushAuthentication>()(
  "signalbox/mail-watcher/PushAuthentication",
  {
    security: {
      service: HttpApiSecurity.apiKey({ key: "x-service-token", in: "header" }),
      basic: HttpApiSecurity.basic
    },
    error: [InvalidRequest, Unauthenticated, Forbidden, Unavailable]
  }
) {}

export const layer: Layer.Layer<
  PushAuthentication,
  never,
  ServiceTokens | SqlClient.SqlClient | PgClient.PgClient | Database
> = Layer.effect(
  PushAuthentication,
  Effect.gen(function* () {
    const tokens = yield* ServiceTokens
    const refusals = yield* RefusalLog.make("mail-watcher")
    // HttpApi tries the security schemes in turn and answers with the last failure, so every scheme repeats the failure
    // of the one that the caller used.
    const failures = new WeakMap<object, Unauthenticated | Forbidden | Unavailable>()

    const judge = Effect.fnUntraced(function* (token: Redacted.Redacted) {
      const request = yield* HttpServerRequest.HttpServerRequest
      if (Redacted.value(token) === "") {
        return yield* (
          failures.get(request) ??
            new Unauthenticated({ detail: "Send a service token as x-service-token or as the password of HTTP Basic." })
        )
      }
      const fail = (failure: Unauthenticated | Forbidden | Unavailable) => {
        failures.set(request, failure)
        return Effect.fail(failure)
      }
      const found = yield* Effect.catchTag(orUnavailable(tokens.find(token)), "Unavailable", fail)
      if (found === undefined) {
        const { address } = yield* client
        yield* refusals.tell({ kind: "service_token", address, entity: "service_token", id: "forged" })
        return yield* fail(new Unauthenticated({ detail: "The service token is unknown, expired or revoked." }))
      }
      if (!found.scopes.has(pushScope) && !found.scopes.has("platform"))
        return yield* fail(new Forbidden({ detail: `The service token lacks the scope ${pushScope}.` }))
    })

    return PushAuthentication.of({
      service: (handler, { credential }) => Effect.andThen(judge(credential), handler),
      basic: (handler, { credential }) => Effect.andThen(judge(credential.password), handler)
    })
  })
)
