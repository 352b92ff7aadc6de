/** The newest backup of each schedule, for the check of the backups' age. */
import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { settings } from "#core/config/Environment.ts"
import { backupSettings, isConfigured } from "./Settings.ts"

export interface NewestBackup {
  /** Name of the schedule. */
  readonly schedule: string
  /** End of the newest run that ended, whether well or not; null: none ended yet. */
  readonly finished_at: Date | null
  /** Whether that run succeeded. */
  readonly ok: boolean
  /** End of the newest run that succeeded. */
  readonly succeeded_at: Date | null
  /** Since when the schedule exists. */
  readonly created_at: Date
}

/** One row for each enabled schedule; none without a repository. */
export const newestBackup: Effect.Effect<
  ReadonlyArray<NewestBackup>,
  SqlError.SqlError,
  SqlClient.SqlClient
> = Effect.flatMap(Effect.orDie(settings(backupSettings)), (config) =>
  isConfigured(config) ? read : Effect.succeed([])
)

const read = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<NewestBackup>`
    select s.name as schedule, s.created_at, ended.finished_at, coalesce(ended.state = 'done', false) as ok,
        (select max(finished_at) from watchdog.backup_job
          where schedule_id = s.id and work = 'backup' and state = 'done') as succeeded_at
      from watchdog.backup_schedule s
      left join lateral (
        select finished_at, state from watchdog.backup_job
          where schedule_id = s.id and work = 'backup' and finished_at is not null
          order by finished_at desc limit 1
      ) ended on true
      where s.enabled
      order by s.name`
)
