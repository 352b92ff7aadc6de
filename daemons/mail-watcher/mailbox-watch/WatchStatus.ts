/** Status of the watching, stored in the database so that every process can show it. */
import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"

export const watchModes = ["notify", "idle", "push", "poll", "lazy", "connecting", "failed"] as const

/**
 * `notify`: the server reports changes of all folders over one connection. `idle`: it reports changes of one folder,
 * the others are scanned. `push`: it calls our endpoint, and all folders are scanned. `poll`: all folders are scanned.
 * `lazy`: connected only when needed. `connecting`: not watched yet, or no longer. `failed`: the last attempt failed.
 */
export type WatchMode = (typeof watchModes)[number]

export interface WatchStatus {
  readonly account_id: number
  readonly mode: WatchMode
  /** Time of the last change of `mode`. Null: the account was never watched. */
  readonly since: Date | null
  /** Number of watched folders. */
  readonly folders: number
  /** Time of the last event about the mailbox. */
  readonly last_event_at: Date | null
  /** Reason of the last failure, without secrets. Null: the last attempt succeeded. */
  readonly last_failure: string | null
  /** Time of the next attempt after a failure. */
  readonly next_try: Date | null
}

/** Status of those accounts that exist. Runs in the caller's transaction with its permissions. */
export const watchStatuses = (
  accounts: ReadonlyArray<number>
): Effect.Effect<ReadonlyArray<WatchStatus>, SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    accounts.length === 0
      ? Effect.succeed([])
      : sql<WatchStatus>`
      select a.id as account_id, w.since,
             coalesce(w.mode, case a.watch when 'lazy' then 'lazy' else 'connecting' end) as mode,
             coalesce(w.folders, 0) as folders, w.last_failure, w.next_try_at as next_try,
             (select max(f.event_at) from mail_watcher.folder f where f.account_id = a.id) as last_event_at
        from mail_watcher.account a left join mail_watcher.watch w on w.account_id = a.id
       where a.id in ${sql.in(accounts)} order by a.id`
  )
