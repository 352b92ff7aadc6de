/** Access to the status page's tables. The page belongs to the provider, and its tables belong to no tenant. */
import { Effect, type Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { Caller, providerTenant } from "#core/auth/Caller.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { Forbidden, orUnavailable } from "#core/http/Problem.ts"
import { asPlatform, transaction } from "#core/sql/Sql.ts"

/** Fails with 403 unless the caller is a service or a user of the provider's tenant. */
export const providerOnly: Effect.Effect<void, Forbidden, Caller> = Effect.flatMap(Caller, (caller) =>
  caller.kind === "service" || caller.tenantId === providerTenant
    ? Effect.void
    : Effect.fail(new Forbidden({ detail: "Only the provider manages the status page." }))
)

/** Runs one short transaction over the tables of the page, for the provider only. */
export const asProvider = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.andThen(providerOnly, orUnavailable(transaction(effect)))

/** Runs `create` once for each Idempotency-Key. `body` includes the id of the path, if there is one. */
export const onceAsProvider = <S extends Schema.Codec<unknown, unknown>, E, R>(
  key: string | undefined,
  endpoint: string,
  body: unknown,
  response: S,
  create: Effect.Effect<S["Type"], E, R | SqlClient.SqlClient>
) =>
  // A user's transaction would run with the role of the tenant, which has no rights on these tables.
  Effect.andThen(
    providerOnly,
    orUnavailable(Idempotency.once({ key, endpoint: `status.${endpoint}`, body, response, create: asPlatform(create) }))
  )
