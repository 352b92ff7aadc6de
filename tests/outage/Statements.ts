import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer } from "effect"
import { toSqlPg } from "#core/postgres/ConnectionTarget.ts"
import type { FreshDatabase } from "#support/Postgres.ts"

/**
 * How many transactions have ended in this database, asked over another one, so that asking does not count; 0 while it
 * is away.
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
        // Away itself, it ends none.
        Effect.timeoutOrElse({ duration: "1 second", orElse: () => Effect.succeed(0) }),
        Effect.catch(() => Effect.succeed(0))
      )
    }
  )
