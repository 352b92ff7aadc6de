/**
 * Authentication middleware of all endpoints that are not public. It accepts a service token or a user's bearer token,
 * checks the permission that the endpoint requires, and provides `Caller`.
 */
import type { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Redacted } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApiMiddleware, HttpApiSecurity } from "effect/http-api"
import type { SqlClient } from "effect/sql"
import type { Database } from "../sql/Database.ts"
import { client } from "../http/Client.ts"
import * as Problem from "../http/Problem.ts"
import * as RefusalLog from "../log/RefusalLog.ts"
import { Caller, type CallerInfo, holds, providerTenant } from "./Caller.ts"
import { type Permission, ProviderOnly, Requires, UsersOnly } from "./Permissions.ts"
import { ServiceTokens } from "./ServiceTokens.ts"
import { isForged } from "./TokenVerifier.ts"
import { UserVerifier } from "./UserVerifier.ts"

/**
 * For endpoints that users and service tokens may use, or only users (`UsersOnly`), or no user of a customer
 * (`ProviderOnly`). `Requires` on the endpoint names the permission that a user needs.
 */
export class Authentication extends HttpApiMiddleware.Service<Authentication, { provides: Caller }>()(
  "signalbox/core/auth/Authentication",
  {
    security: {
      service: HttpApiSecurity.apiKey({ key: "x-service-token", in: "header" }),
      user: HttpApiSecurity.bearer
    },
    error: Problem.common
  }
) {}

export const layer: Layer.Layer<
  Authentication,
  never,
  ServiceTokens | UserVerifier | SqlClient.SqlClient | PgClient.PgClient | Database
> = Layer.effect(
  Authentication,
  Effect.gen(function* () {
    const tokens = yield* ServiceTokens
    const verifier = yield* UserVerifier
    const refusals = yield* RefusalLog.make("core")
    const tellForged = (kind: "bearer_token" | "service_token", detail = {}) =>
      Effect.flatMap(client, ({ address }) => refusals.tell({ kind, address, entity: kind, id: "forged", detail }))
    const refuse = (detail: string) => Effect.fail(new Problem.Unauthenticated({ detail }))
    const unknownToken = "The service token is unknown, expired or revoked."
    // The security schemes are tried in turn, and the last failure becomes the answer. The failure of a service token
    // must therefore survive the missing bearer token. An unreachable database must not become "wrong token".
    const failures = new WeakMap<object, Problem.Unauthenticated | Problem.Forbidden | Problem.Unavailable>()
    return Authentication.of({
      service: Effect.fnUntraced(function* (handler, { credential, endpoint, group }) {
        if (Redacted.value(credential) === "") return yield* refuse("Send x-service-token or Authorization: Bearer.")
        const request = yield* HttpServerRequest.HttpServerRequest
        const annotations = Context.merge(group.annotations, endpoint.annotations)
        const required = Context.get(annotations, Requires)
        const caller = yield* Problem.orUnavailable(tokens.find(credential)).pipe(
          Effect.filterOrElse(
            (token) => token !== undefined,
            () => Effect.andThen(tellForged("service_token"), refuse(unknownToken))
          ),
          Effect.filterOrElse(
            () => !Context.get(annotations, UsersOnly),
            () =>
              Effect.fail(
                new Problem.Forbidden({
                  detail:
                    "This endpoint accepts signed-in users only: send Authorization: Bearer instead of a service token."
                })
              )
          ),
          Effect.map(({ id, name, scopes }): CallerInfo => ({ kind: "service", tokenId: id, name, scopes })),
          Effect.filterOrElse(
            (caller) => permits(caller, required),
            () => Effect.fail(notPermitted(required ?? "platform"))
          ),
          Effect.tapError((failure) => Effect.sync(() => failures.set(request, failure)))
        )
        return yield* Effect.provideService(handler, Caller, caller)
      }),
      user: Effect.fnUntraced(function* (handler, { credential, endpoint, group }) {
        if (Redacted.value(credential) === "") {
          const failure = failures.get(yield* HttpServerRequest.HttpServerRequest)
          if (failure === undefined) refusals.count("no_credentials")
          return yield* failure ?? refuse("Send x-service-token or Authorization: Bearer.")
        }
        const caller = yield* Problem.orUnavailable(
          Effect.catchTag(verifier.verify(credential), "TokenRefused", (error) =>
            Effect.gen(function* () {
              yield* Effect.logDebug(`user token refused: ${error.reason}`)
              if (isForged(error.reason)) yield* tellForged("bearer_token", { reason: error.reason })
              else refusals.count(`bearer_token_${error.reason}`)
              return yield* refuse("The bearer token is invalid or expired.")
            })
          )
        )
        const annotations = Context.merge(group.annotations, endpoint.annotations)
        const required = Context.get(annotations, Requires)
        if (!permits(caller, required)) {
          return yield* notPermitted(required!)
        }
        if (Context.get(annotations, ProviderOnly) && !isOfProvider(caller)) {
          return yield* new Problem.Forbidden({ detail: "Only users of the provider's tenant may use this endpoint." })
        }
        return yield* Effect.provideService(handler, Caller, caller)
      })
    })
  })
)

const notPermitted = (permission: string) =>
  new Problem.Forbidden({ permission, detail: `The request requires the permission ${permission}.` })

/**
 * Whether the caller may use an endpoint that requires `required`. A limited service token may not use endpoints
 * without a required permission.
 */
export const permits = (caller: CallerInfo, required: Permission | undefined): boolean =>
  required === undefined ? caller.kind === "user" || caller.scopes.has("platform") : holds(caller, required)

/** Whether the caller acts for the provider. Only the provider creates service tokens. */
const isOfProvider = (caller: CallerInfo): boolean => caller.kind === "service" || caller.tenantId === providerTenant
