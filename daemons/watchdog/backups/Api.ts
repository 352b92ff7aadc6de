import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { ProviderOnly, Requires } from "#core/auth/Permissions.ts"
import * as Api from "#core/http/Api.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { Id, page, pageOf, plainText } from "#core/http/Paging.ts"
import { NotConfigured, NotFound } from "#core/http/Problem.ts"
import { backupTypes, jobStates, works } from "./BackupWords.ts"
import { RepositoryUnavailable, ScheduleNameTaken } from "./Errors.ts"
import { maxCron, scheduleProblem } from "./ScheduleTimes.ts"

export const BackupType = Schema.Literals(backupTypes)

/** A part that was left out, and why. */
export const LeftOut = Schema.Struct({ what: Schema.String, reason: Schema.String })

/** A backup that is in the repository. Fields of our own records are null for one that another program wrote. */
export const BackupView = Schema.Struct({
  /** Id of restic's snapshot. */
  id: Schema.String,
  short_id: Schema.String,
  /** When it was begun. ISO 8601. */
  time: Schema.String,
  host: Schema.String,
  paths: Schema.Array(Schema.String),
  type: Schema.NullOr(BackupType),
  schedule_id: Schema.NullOr(Schema.Int),
  schedule: Schema.NullOr(Schema.String),
  job_id: Schema.NullOr(Schema.String),
  /** Unit: bytes. What was read, and what the repository grew by. */
  size: Schema.NullOr(Schema.Number),
  added: Schema.NullOr(Schema.Number),
  files: Schema.NullOr(Schema.Int),
  duration_ms: Schema.NullOr(Schema.Int),
  left_out: Schema.Array(LeftOut)
}).annotate({ identifier: "Backup" })

export const BackupList = Schema.Struct({
  items: Schema.Array(BackupView),
  /** Value of `before` for the next page: milliseconds since 1970; null on the last page. */
  next_before: Schema.NullOr(Schema.Number)
})

/** A time since 1970 in milliseconds, for `before`. Limit: the year 9999. */
const latest = 253_402_300_799_999

const Cron = Schema.String.check(
  Schema.isMaxLength(maxCron),
  Schema.makeFilter((text: string) => scheduleProblem(text))
)

/** `name`: unique, shown in messages. `cron`: five fields in the time zone of `SIGNALBOX_BACKUP_TIME_ZONE`. */
export const NewSchedule = Schema.Struct({
  name: plainText(100),
  cron: Cron,
  type: BackupType,
  enabled: Schema.optionalKey(Schema.Boolean)
})

export const ScheduleChange = Schema.Struct({
  name: Schema.optionalKey(plainText(100)),
  cron: Schema.optionalKey(Cron),
  type: Schema.optionalKey(BackupType),
  enabled: Schema.optionalKey(Schema.Boolean)
})

export const ScheduleView = Schema.Struct({
  id: Schema.Int,
  name: Schema.String,
  cron: Schema.String,
  type: BackupType,
  enabled: Schema.Boolean,
  /** Next run; null: never, or not enabled. */
  next_run: Schema.NullOr(Schema.String),
  /** Latest time of the schedule that was carried out. */
  last_firing: Schema.NullOr(Schema.String),
  last_success: Schema.NullOr(Schema.String),
  last_state: Schema.NullOr(Schema.Literals(jobStates)),
  last_problem: Schema.NullOr(Schema.String),
  created_at: Schema.String,
  updated_at: Schema.String
}).annotate({ identifier: "BackupSchedule" })

/** One thing that a drill proved, or found wrong. */
export const DrillCheck = Schema.Struct({
  /** `repository`, `restore`, `postgres`, `rows`, `rows of <further database>`, `files`, `mail`, `secrets`. */
  check: Schema.String,
  ok: Schema.Boolean,
  detail: Schema.String,
  duration_ms: Schema.Int
})

export const DrillReport = Schema.Struct({
  snapshot: Schema.String,
  /** Time of the backup. */
  backup_time: Schema.String,
  ok: Schema.Boolean,
  checks: Schema.Array(DrillCheck),
  /** Bytes that were restored, and the time that a real restore of them would take, as measured. */
  restored_bytes: Schema.Number,
  real_restore_ms: Schema.Int
})

export const JobView = Schema.Struct({
  id: Schema.String,
  /** Number for `before` of lists. */
  seq: Schema.Int,
  work: Schema.Literals(works),
  state: Schema.Literals(jobStates),
  type: BackupType,
  schedule_id: Schema.NullOr(Schema.Int),
  schedule: Schema.NullOr(Schema.String),
  /** Time of the schedule that the job carries out; null: on request. */
  firing: Schema.NullOr(Schema.String),
  /** `schedule`, `operator`, or the caller: `user:12`, `service:3`. */
  requested_by: Schema.String,
  /** Current step, such as `databases`, `copy`, `retention`. */
  step: Schema.NullOr(Schema.String),
  /** Unit: bytes; null while unknown. */
  done: Schema.NullOr(Schema.Number),
  total: Schema.NullOr(Schema.Number),
  /** Snapshot that the job wrote or read. */
  snapshot: Schema.NullOr(Schema.String),
  size: Schema.NullOr(Schema.Number),
  added: Schema.NullOr(Schema.Number),
  files: Schema.NullOr(Schema.Int),
  left_out: Schema.Array(LeftOut),
  /** Of a drill that came to its end. */
  report: Schema.NullOr(DrillReport),
  problem: Schema.NullOr(Schema.String),
  created_at: Schema.String,
  started_at: Schema.NullOr(Schema.String),
  finished_at: Schema.NullOr(Schema.String),
  duration_ms: Schema.NullOr(Schema.Int)
}).annotate({ identifier: "BackupJob" })

/** What retention would keep and delete. */
export const RetentionView = Schema.Struct({
  /** `30d`, `84d`, `6m`. */
  keep: Schema.Struct({ daily: Schema.String, weekly: Schema.String, monthly: Schema.String }),
  kept: Schema.Array(Schema.Struct({ ...BackupView.fields, reasons: Schema.Array(Schema.String) })),
  removed: Schema.Array(BackupView)
}).annotate({ identifier: "BackupRetention" })

/** Id of a job in a path; another text answers 404. */
export const Uuid = Schema.String.check(
  Schema.isPattern(/^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/)
)

const jobAccepted = JobView.pipe(HttpApiSchema.status(202))
const repository = [NotConfigured, RepositoryUnavailable] as const
const titled = (summary: string, description?: string) =>
  OpenApi.annotations({ summary, ...(description === undefined ? {} : { description }) })

export const backups = HttpApiGroup.make("backups")
  .add(
    HttpApiEndpoint.get("list", "/backups", {
      query: { ...page(latest), type: Schema.optionalKey(BackupType), schedule_id: Schema.optionalKey(Id) },
      success: BackupList,
      error: repository
    })
      .annotate(Requires, "backups.read")
      .annotateMerge(titled("Backups in the repository, newest first", "Reads the repository itself.")),
    HttpApiEndpoint.get("schedules", "/backups/schedules", { success: Schema.Array(ScheduleView) })
      .annotate(Requires, "backups.read")
      .annotateMerge(titled("Schedules")),
    HttpApiEndpoint.get("jobs", "/backups/jobs", {
      query: {
        ...page(),
        work: Schema.optionalKey(Schema.Literals(works)),
        state: Schema.optionalKey(Schema.Literals(jobStates)),
        schedule_id: Schema.optionalKey(Id)
      },
      success: pageOf(JobView)
    })
      .annotate(Requires, "backups.read")
      .annotateMerge(titled("Backups, drills and restores that ran or wait, newest first")),
    HttpApiEndpoint.get("job", "/backups/jobs/:uuid", { params: { uuid: Uuid }, success: JobView, error: NotFound })
      .annotate(Requires, "backups.read")
      .annotateMerge(titled("One job with its progress, and with the report of a drill")),
    HttpApiEndpoint.get("retention", "/backups/retention", { success: RetentionView, error: repository })
      .annotate(Requires, "backups.read")
      .annotateMerge(titled("What retention would delete now", "Deletes nothing.")),
    HttpApiEndpoint.post("addSchedule", "/backups/schedules", {
      headers: Idempotency.headers,
      payload: NewSchedule,
      success: ScheduleView.pipe(HttpApiSchema.status(201)),
      error: ScheduleNameTaken
    })
      .annotate(Requires, "backups.manage")
      .annotateMerge(titled("Add a schedule")),
    HttpApiEndpoint.put("changeSchedule", "/backups/schedules/:id", {
      params: { id: Id },
      payload: ScheduleChange,
      success: ScheduleView,
      error: [NotFound, ScheduleNameTaken]
    })
      .annotate(Requires, "backups.manage")
      .annotateMerge(titled("Change a schedule, or switch it on or off")),
    HttpApiEndpoint.delete("removeSchedule", "/backups/schedules/:id", {
      params: { id: Id },
      success: HttpApiSchema.NoContent,
      error: NotFound
    })
      .annotate(Requires, "backups.manage")
      .annotateMerge(titled("Remove a schedule", "Its backups stay in the repository.")),
    HttpApiEndpoint.post("trigger", "/backups/trigger/:schedule_id", {
      params: { schedule_id: Id },
      headers: Idempotency.headers,
      success: jobAccepted,
      error: [NotFound, NotConfigured]
    })
      .annotate(Requires, "backups.manage")
      .annotateMerge(
        titled(
          "Run a schedule now",
          "Answers the job, which runs in the background; `GET /api/v1/backups/jobs/{uuid}` and the event " +
            "`backup.progress` show its progress. While a job of the schedule waits or runs, the answer is that job."
        )
      ),
    HttpApiEndpoint.post("drill", "/backups/drill", {
      headers: Idempotency.headers,
      success: jobAccepted,
      error: NotConfigured
    })
      .annotate(Requires, "backups.manage")
      .annotateMerge(
        titled("Prove that the newest backup restores", "Restores into a throw-away place; `report` has the findings.")
      )
  )
  .annotate(ProviderOnly, true)
  .middleware(Authentication)
  .prefix("/api/v1")

export const BackupsApi = Api.make("backups").add(backups)
