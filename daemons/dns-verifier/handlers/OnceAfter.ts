/**
 * Creating calls that have to ask somebody outside before they write: with an Idempotency-Key that came before nobody
 * is asked again, and nothing is done for a body that is another by now.
 */
import type { PgClient } from "@effect/sql-pg"
import { Effect, Schema } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { Caller } from "#core/auth/Caller.ts"
import type { Database } from "#core/sql/Database.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import type { IdempotencyKeyReused } from "#core/http/Problem.ts"

/** The key is new; the transaction that found out leaves nothing. */
class Fresh extends Schema.TaggedError<Fresh>()("Fresh", {}) {}

export const onceAfter = <S extends Schema.Codec<any, any>, A, E, R, E2, R2>({
  before,
  create,
  ...options
}: {
  /** As in Idempotency. */
  readonly key: string | undefined
  readonly endpoint: string
  readonly body: unknown
  readonly response: S
  /** Runs with no transaction open. */
  readonly before: Effect.Effect<A, E, R>
  /** Only writes to the database. */
  readonly create: (found: A) => Effect.Effect<S["Type"], E2, R2>
}): Effect.Effect<
  S["Type"],
  E | E2 | IdempotencyKeyReused | SqlError.SqlError,
  R | R2 | Caller | SqlClient.SqlClient | PgClient.PgClient | Database
> => {
  const done = Effect.flatMap(before, (found) => Idempotency.once({ ...options, create: create(found) }))
  return options.key === undefined
    ? done
    : (Effect.catchIf(
        Idempotency.once({ ...options, create: Effect.fail(new Fresh()) }),
        (error) => error instanceof Fresh,
        () => done
      ) as never)
}
