/** Events, messages to people and alerts about ended backups and drills. Joins the transaction of the job's end. */
import { Effect } from "effect"
import { providerTenant } from "#core/auth/Caller.ts"
import { NotificationWanted } from "#core/contracts/Notifications.ts"
import { BackupCompleted, BackupFailed } from "#core/contracts/Watchdog.ts"
import { Events } from "#core/events/Events.ts"
import { Jobs } from "#core/jobs/Jobs.ts"
import { Alerts } from "../../alerting/Exports.ts"
import { durationOf, type JobRow } from "./JobStore.ts"
import { sentences } from "./NoticeWords.ts"

/** Permanent names of the alerts. */
export const backupKey = (schedule: string) => `backup ${schedule}`
export const missedKey = (schedule: string) => `backup ${schedule} missed`
export const drillKey = "backup drill"

/** Group of all alerts about backups: one cause, such as a repository that is away, fails all of them. */
export const alertGroup = "backups"

/** Tells about a job that ended. A restore is told by its command. */
export const tellEnd = Effect.fnUntraced(function* (job: JobRow) {
  if (job.work === "restore") return
  const events = yield* Events
  const jobs = yield* Jobs
  const alerts = yield* Alerts
  const duration = durationOf(job) ?? 0
  const ok = job.state === "done"
  const common = {
    backup_id: job.id,
    schedule_id: job.schedule_id,
    schedule: job.schedule,
    type: job.type,
    started_at: (job.started_at ?? job.created_at).toISOString(),
    duration_ms: duration
  }
  const audience = { tenantId: providerTenant }
  if (!ok) yield* events.emit(BackupFailed, "watchdog", { ...common, problem: job.problem ?? "" }, audience)
  else if (job.work === "backup")
    yield* events.emit(
      BackupCompleted,
      "watchdog",
      { ...common, size: job.size ?? 0, added: job.added ?? 0, left_out: job.left_out },
      audience
    )
  const words = sentences({ ...job, duration })
  // Repeated after a crash between two attempts, it still is one message.
  const key = `${ok ? "backup.completed" : "backup.failed"}:${job.id}`
  yield* jobs.send(NotificationWanted, [
    {
      key,
      data: {
        key,
        to: { tenant_admins: providerTenant },
        content: {
          type: ok ? "backup.completed" : "backup.failed",
          category: "system",
          severity: ok ? "success" : "error",
          ...words.en,
          icon: "archive",
          data: { job_id: job.id, work: job.work },
          entity_type: "backup",
          entity_id: job.id
        },
        words
      }
    }
  ])
  yield* alerts.report({
    key: job.work === "drill" ? drillKey : backupKey(job.schedule ?? "on request"),
    group: alertGroup,
    severity: "critical",
    summary: words.en.title,
    summaryDe: words.de.title,
    detail: words.en.body,
    detailDe: words.de.body,
    failing: !ok,
    at: job.finished_at ?? new Date()
  })
})
