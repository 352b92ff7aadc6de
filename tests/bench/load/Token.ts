/** A service token of a fresh database. */
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import * as ServiceTokenStore from "#core/auth/ServiceTokenStore.ts"
import { withClient } from "#core/postgres/Bootstrap.ts"
import type { FreshDatabase } from "#support/Postgres.ts"

/** Creates a token with the scope `platform`. */
export const serviceToken = (database: FreshDatabase): Promise<string> =>
  Effect.runPromise(
    withClient(database.superuser, (sql) =>
      Effect.map(
        Effect.provideService(
          ServiceTokenStore.create({ name: "bench", scopes: ["platform"] }),
          SqlClient.SqlClient,
          sql
        ),
        ({ token }) => Redacted.value(token)
      )
    )
  )
