import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"

/** Waits until nobody else changes which accounts this user has, or which of them is meant by default; until the transaction's end. */
export const userLock = (
  tenantId: number,
  userId: number
): Effect.Effect<void, SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.asVoid(
      sql`select pg_advisory_xact_lock(hashtextextended(${`mail_watcher.account of ${tenantId}/${userId}`}, 0))`
    )
  )
