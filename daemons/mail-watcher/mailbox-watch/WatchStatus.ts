/** How mailboxes are watched just now, from the database, so that any process can say it. */
import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"

/**
 * `notify`: told of all folders over one connection. `idle`: told of one, the others looked at. `push`: the mail server calls us, and all
 * are looked at. `poll`: all are looked at. `lazy`: connected to only when there is reason to. `connecting`: not watched yet, or
 * no more. `failed`: the last try did not succeed.
 */
export type WatchMode = "notify" | "idle" | "push" | "poll" | "lazy" | "connecting" | "failed"

export interface WatchStatus {
  readonly account_id: number
  readonly mode: WatchMode
  /** Since when the mode is what it is; null: nobody looked at the account yet. */
  readonly since: Date | null
  /** Folders that are watched. */
  readonly folders: number
  /** When last an event was told of it. */
  readonly last_event_at: Date | null
  /** Why the last try failed, in words without secrets; null while all is well. */
  readonly last_failure: string | null
  /** When it is tried again, after a failure. */
  readonly next_try: Date | null
}

/** Of those of these accounts that are there. Runs in the caller's transaction, seeing what that may see. */
export const watchStatuses = (
  accounts: ReadonlyArray<number>
): Effect.Effect<ReadonlyArray<WatchStatus>, SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    accounts.length === 0
      ? Effect.succeed([])
      : sql<WatchStatus>`
      select a.id as account_id, coalesce(w.mode, case a.watch when 'lazy' then 'lazy' else 'connecting' end) as mode, w.since,
             coalesce(w.folders, 0) as folders, w.last_failure, w.next_try_at as next_try,
             (select max(f.event_at) from mail_watcher.folder f where f.account_id = a.id) as last_event_at
        from mail_watcher.account a left join mail_watcher.watch w on w.account_id = a.id
       where a.id in ${sql.in(accounts)} order by a.id`
  )
