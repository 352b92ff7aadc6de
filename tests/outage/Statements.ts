import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer } from "effect"
import { toSqlPg } from "#core/postgres/ConnectionTarget.ts"
import type { FreshDatabase } from "#support/Postgres.ts"

/** How many transactions have ended in this database, asked over another one, so that asking does not count. */
export const counter = ({ superuser, target }: FreshDatabase) =>
  Effect.map(
    Layer.build(PgClient.layer({ ...toSqlPg({ ...superuser, database: "postgres" }), applicationName: "test", maxConnections: 1 })),
    (context) => {
      const sql = Context.get(context, PgClient.PgClient)
      return Effect.orDie(Effect.map(
        sql<{ ended: number }>`select (xact_commit + xact_rollback)::float8 as ended from pg_stat_database where datname = ${target.database}`,
        ([row]) => row?.ended ?? 0
      ))
    }
  )
