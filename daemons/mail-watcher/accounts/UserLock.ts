import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"

/** Locks the user's set of accounts and their default account until the transaction ends. */
export const userLock = (
  tenantId: number,
  userId: number
): Effect.Effect<void, SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.asVoid(
      sql`select pg_advisory_xact_lock(hashtextextended(${`mail_watcher.account of ${tenantId}/${userId}`}, 0))`
    )
  )
