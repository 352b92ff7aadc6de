/** How a mailbox is watched, in the database: written when it changes, for whoever shows it. */
import { Effect } from "effect"
import type { PgClient } from "@effect/sql-pg"
import { SqlClient, type SqlError } from "effect/sql"
import type { ScanTimes } from "./FolderCursor.ts"
import * as FolderStore from "./FolderStore.ts"
import type { WatchMode } from "./WatchStatus.ts"

export interface Recorded extends FolderStore.Known {
  readonly look: ScanTimes
}

export interface State {
  readonly mode: WatchMode
  readonly folders?: number
  /** In words without secrets. */
  readonly failure?: string
  readonly nextTry?: Date
}

/** How long a mailbox of ours counts as new. Reason: it is known here within a second of being made; a look may have to wait for its turn. */
const freshFor = "1 hour"

/** What is known of the mailbox from earlier. */
export const recorded = (
  account: FolderStore.Watched
): Effect.Effect<Recorded, SqlError.SqlError, PgClient.PgClient | SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [row] = yield* sql<{ first: Date | null; last: Date | null; fresh: boolean }>`
      select w.first_look_at as first, w.looked_at as last, a.kind = 'own' and a.created_at > now() - ${freshFor}::interval as fresh
        from mail_watcher.account a left join mail_watcher.watch w on w.account_id = a.id where a.id = ${account.id}`
    return {
      ...(yield* FolderStore.load(account)),
      look: { now: Date.now(), first: row?.first?.getTime(), last: row?.last?.getTime(), fresh: row?.fresh ?? false }
    }
  })

/** Nothing when the account is no more. */
export const record = (account: FolderStore.Watched, { failure, folders, mode, nextTry }: State) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) =>
      sql`insert into mail_watcher.watch as w (account_id, tenant_id, mode, folders, last_failure, next_try_at)
      select id, tenant_id, ${mode}, ${folders ?? 0}, ${failure ?? null}, ${nextTry ?? null} from mail_watcher.account where id = ${account.id}
      on conflict (account_id) do update set mode = excluded.mode, folders = case when ${folders === undefined} then w.folders else excluded.folders end,
        last_failure = case when excluded.mode = 'connecting' then w.last_failure else excluded.last_failure end, next_try_at = excluded.next_try_at,
        since = case when w.mode = excluded.mode then w.since else now() end`
  )

/** Everything was compared at this time. Unit: milliseconds since 1970. */
export const noteLook = (account: FolderStore.Watched, at: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) =>
      sql`update mail_watcher.watch set first_look_at = coalesce(first_look_at, ${new Date(at)}), looked_at = ${new Date(at)} where account_id = ${account.id}`
  )
