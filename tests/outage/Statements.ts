import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer } from "effect"
import { toSqlPg } from "#core/postgres/ConnectionTarget.ts"
import type { FreshDatabase } from "#support/Postgres.ts"

/**
 * Counts the ended transactions of this database. Queries through a different database, so that the query itself is not
 * counted. Returns 0 while Postgres is unreachable.
 */
export const counter = ({ superuser, target }: Pick<FreshDatabase, "superuser" | "target">) =>
  Effect.map(
    Layer.build(
      PgClient.layer({ ...toSqlPg({ ...superuser, database: "postgres" }), applicationName: "test", maxConnections: 1 })
    ),
    (context) => {
      const sql = Context.get(context, PgClient.PgClient)
      return sql<{
        ended: number
      }>`select (xact_commit + xact_rollback)::float8 as ended from pg_stat_database where datname = ${target.database}`.pipe(
        Effect.map(([row]) => row?.ended ?? 0),
        // An unreachable Postgres ends no transactions.
        Effect.timeoutOrElse({ duration: "1 second", orElse: () => Effect.succeed(0) }),
        Effect.catch(() => Effect.succeed(0))
      )
    }
  )
