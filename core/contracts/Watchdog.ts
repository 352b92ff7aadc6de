/**
 * Events of backups and of the monitoring, for workflows and other daemons. They concern the machines, so they belong
 * to the provider's tenant. Source: interface document 3 §2.4, §2.5, §6.
 */
import { Schema } from "effect"
import { define } from "../events/Events.ts"

/** Part of a backup that was left out, and why. */
const LeftOut = Schema.Struct({ what: Schema.String, reason: Schema.String })

const run = {
  backup_id: Schema.String,
  /** Null for a run that no schedule started. */
  schedule_id: Schema.NullOr(Schema.Int),
  /** Name of the schedule. */
  schedule: Schema.NullOr(Schema.String),
  type: Schema.Literals(["full", "databases", "files", "configuration"]),
  started_at: Schema.String,
  /** Unit: milliseconds. */
  duration_ms: Schema.Int
}

/** A backup was written. Sizes in bytes: what was read, and what the repository grew by. */
export const BackupCompleted = define(
  "backup.completed",
  Schema.Struct({ ...run, size: Schema.Int, added: Schema.Int, left_out: Schema.Array(LeftOut) })
)

/** A backup failed, or a drill found that it does not restore. `problem`: one line for people. */
export const BackupFailed = define("backup.failed", Schema.Struct({ ...run, problem: Schema.String }))

/** Progress of a backup, a drill or a restore. `done` and `total` in bytes, or null while unknown. */
export const BackupProgress = define(
  "backup.progress",
  Schema.Struct({
    job_id: Schema.String,
    work: Schema.Literals(["backup", "drill", "restore"]),
    step: Schema.String,
    done: Schema.NullOr(Schema.Finite),
    total: Schema.NullOr(Schema.Finite),
    finished: Schema.Boolean,
    problem: Schema.NullOr(Schema.String)
  })
)

const alert = {
  alert_id: Schema.String,
  /** Permanent name of what is checked: `disk /var`, `certificate mail.example.org:993`. */
  key: Schema.String,
  /** Alerts of one cause share a group, such as a host that is down. */
  group: Schema.String,
  severity: Schema.Literals(["warning", "critical"]),
  opened_at: Schema.String
}

/** A check failed for long enough. `summary`: one line in English. Emitted once an incident. */
export const AlertOpened = define("monitoring.alert.opened", Schema.Struct({ ...alert, summary: Schema.String }))

/** The check succeeds again, or it was removed. */
export const AlertClosed = define(
  "monitoring.alert.closed",
  Schema.Struct({ ...alert, closed_at: Schema.String, reason: Schema.Literals(["recovered", "removed"]) })
)
