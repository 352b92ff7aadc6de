/** SQL of the status of a watched mailbox. */
import { Effect } from "effect"
import type { PgClient } from "@effect/sql-pg"
import { SqlClient, type SqlError } from "effect/sql"
import type { ScanTimes } from "./FolderCursor.ts"
import * as FolderStore from "./FolderStore.ts"
import type { WatchMode } from "./WatchStatus.ts"

export interface RecordedMailbox extends FolderStore.RecordedFolders {
  readonly look: ScanTimes
}

export interface StatusChange {
  readonly mode: WatchMode
  readonly folders?: number
  /** Without secrets. */
  readonly failure?: string
  readonly nextTry?: Date
}

/**
 * Age up to which an own mailbox counts as new. Reason: we learn of it within a second, but its first scan may have to
 * wait.
 */
const freshFor = "1 hour"

/** Loads the recorded state of a mailbox. */
export const load = (
  account: FolderStore.Watched
): Effect.Effect<RecordedMailbox, SqlError.SqlError, PgClient.PgClient | SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [row] = yield* sql<{ first: Date | null; last: Date | null; fresh: boolean }>`
      select w.first_look_at as first, w.looked_at as last, a.kind = 'own'
        and a.created_at > now() - ${freshFor}::interval as fresh
        from mail_watcher.account a left join mail_watcher.watch w on w.account_id = a.id where a.id = ${account.id}`
    return {
      ...(yield* FolderStore.load(account)),
      look: { now: Date.now(), first: row?.first?.getTime(), last: row?.last?.getTime(), fresh: row?.fresh ?? false }
    }
  })

/** Stores the status. Does nothing when the account no longer exists. */
export const storeStatus = (account: FolderStore.Watched, { failure, folders, mode, nextTry }: StatusChange) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) =>
      sql`insert into mail_watcher.watch as w (account_id, tenant_id, mode, folders, last_failure, next_try_at)
      select id, tenant_id, ${mode}, ${folders ?? 0}, ${failure ?? null}, ${nextTry ?? null} from mail_watcher.account
        where id = ${account.id}
      on conflict (account_id) do update set mode = excluded.mode,
        folders = case when ${folders === undefined} then w.folders else excluded.folders end,
        last_failure = case when excluded.mode = 'connecting' then w.last_failure else excluded.last_failure end,
        next_try_at = excluded.next_try_at,
        since = case when w.mode = excluded.mode then w.since else now() end`
  )

/** Stores the time of a scan. Unit: milliseconds since 1970. */
export const storeScanTime = (account: FolderStore.Watched, at: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) =>
      sql`update mail_watcher.watch set first_look_at = coalesce(first_look_at, ${new Date(at)}),
        looked_at = ${new Date(at)} where account_id = ${account.id}`
  )
