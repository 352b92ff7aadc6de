/** The page is the provider's own: nobody else's users run it, and its tables are no tenant's. */
import { Effect, type Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { Caller, providerTenant } from "#core/auth/Caller.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { Forbidden, orUnavailable } from "#core/http/Problem.ts"
import { asPlatform, transaction } from "#core/sql/Sql.ts"

/** Refuses whoever does not stand for the provider. */
export const providerOnly: Effect.Effect<void, Forbidden, Caller> = Effect.flatMap(Caller, (caller) =>
  caller.kind === "service" || caller.tenantId === providerTenant
    ? Effect.void
    : Effect.fail(new Forbidden({ detail: "The status page is the provider's." }))
)

/** One short transaction over the tables of the page. */
export const asProvider = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.andThen(providerOnly, orUnavailable(transaction(effect)))

/** The same once for each Idempotency-Key. `body` names the thing as well, where the path does. */
export const onceAsProvider = <S extends Schema.Codec<unknown, unknown>, E, R>(
  key: string | undefined,
  endpoint: string,
  body: unknown,
  response: S,
  create: Effect.Effect<S["Type"], E, R | SqlClient.SqlClient>
) =>
  // A user's transaction has the role of their tenant, which may not touch these tables.
  Effect.andThen(
    providerOnly,
    orUnavailable(Idempotency.once({ key, endpoint: `status.${endpoint}`, body, response, create: asPlatform(create) }))
  )
