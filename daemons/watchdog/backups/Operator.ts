/** What the commands `signalbox backup` do, apart from restores. */
import { Console, Duration, Effect, Option } from "effect"
import { Ended, exitUsage, fail } from "#core/cli/Ending.ts"
import { minute } from "#core/cli/Moment.ts"
import { print, table } from "#core/cli/Output.ts"
import { settings } from "#core/config/Environment.ts"
import { providerTenant } from "#core/auth/Caller.ts"
import * as Audit from "#core/log/Audit.ts"
import { transaction } from "#core/sql/Sql.ts"
import * as BackupList from "./BackupList.ts"
import { type BackupType, backupTypes, type JobState, type Work } from "./BackupWords.ts"
import * as Restic from "./engine/Restic.ts"
import { ResticError } from "./engine/ResticError.ts"
import * as JobStore from "./jobs/JobStore.ts"
import { durationText, sizeText } from "#core/words/Amounts.ts"
import * as ScheduleStore from "./jobs/ScheduleStore.ts"
import { changing, told, withBackups } from "./OperatorStore.ts"
import * as Retention from "./Retention.ts"
import { scheduleProblem } from "./ScheduleTimes.ts"
import { backupSettings } from "./Settings.ts"

/** Pause between two looks at a job. */
const lookInterval = Duration.millis(500)

const configured = Effect.map(settings(backupSettings), (config) => ({ config, restic: Restic.make(config) }))

/** restic's refusal as a sentence. */
const spoken = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.mapError(effect, (error) => (error instanceof ResticError ? fail(error.message) : error))

export const init = Effect.fnUntraced(function* ({ json }: { readonly json: boolean }) {
  const { restic } = yield* configured
  yield* spoken(restic.init)
  yield* print(json, { created: true }, () => [
    "The repository is created. Store its password elsewhere too: without it no backup can be read."
  ])
})

export const list = Effect.fnUntraced(function* (flags: {
  readonly type: Option.Option<BackupType>
  readonly limit: number
  readonly json: boolean
}) {
  const { restic } = yield* configured
  const found = yield* spoken(
    withBackups(BackupList.page(restic, { limit: flags.limit, type: Option.getOrUndefined(flags.type) }))
  )
  yield* print(flags.json, found.items, (items) =>
    table("No backups yet. Run one: bin/signalbox backup run", [
      ["ID", "TIME", "SCHEDULE", "TYPE", "SIZE", "NEW", "DURATION", "LEFT OUT"],
      ...items.map((item) => [
        item.short_id,
        minute(new Date(item.time)),
        item.schedule ?? "",
        item.type ?? "",
        item.size === null ? "" : sizeText(item.size),
        item.added === null ? "" : sizeText(item.added),
        item.duration_ms === null ? "" : durationText(item.duration_ms),
        item.left_out.map(({ what }) => what).join(", ")
      ])
    ])
  )
})

export const jobs = Effect.fnUntraced(function* (flags: {
  readonly work: Option.Option<Work>
  readonly state: Option.Option<JobState>
  readonly limit: number
  readonly json: boolean
}) {
  const filter = {
    ...(Option.isSome(flags.work) ? { work: flags.work.value } : {}),
    ...(Option.isSome(flags.state) ? { state: flags.state.value } : {})
  }
  const rows = yield* withBackups(transaction(JobStore.list(filter, undefined, flags.limit)))
  yield* print(flags.json, rows.map(JobStore.view), (items) =>
    table("No backup work yet.", [
      ["CREATED", "WORK", "SCHEDULE", "STATE", "DURATION", "PROBLEM"],
      ...items.map((item) => [
        minute(new Date(item.created_at)),
        item.work,
        item.schedule ?? "",
        item.state,
        item.duration_ms === null ? "" : durationText(item.duration_ms),
        item.problem?.split("\n", 1)[0] ?? ""
      ])
    ])
  )
})

/** The schedule with this name or number. */
const meant = (text: string) =>
  Effect.flatMap(ScheduleStore.list, (rows) => {
    const row = rows.find(({ name }) => name === text) ?? rows.find(({ id }) => String(id) === text)
    return row === undefined ? Effect.fail(fail(`There is no schedule ${text}.`)) : Effect.succeed(row)
  })

const requested = (job: JobStore.NewJob) =>
  Effect.gen(function* () {
    const added = (yield* JobStore.add(job))!
    yield* Audit.write({
      tenantId: providerTenant,
      actor: Audit.operator,
      action: `backup_job.${job.work}_requested`,
      entity: "backup_job",
      id: added.id,
      detail: { schedule: job.schedule?.name ?? null }
    })
    return added
  })

export const run = Effect.fnUntraced(function* (flags: {
  readonly schedule: string
  readonly wait: boolean
  readonly json: boolean
}) {
  const ended = yield* withBackups(
    Effect.gen(function* () {
      const added = yield* transaction(
        Effect.gen(function* () {
          const { id, name, type } = yield* meant(flags.schedule)
          return yield* requested({ work: "backup", type, schedule: { id, name }, firing: null, by: Audit.operator })
        })
      )
      return flags.wait ? yield* watched(added) : added
    })
  )
  yield* show(ended, flags)
})

export const drill = Effect.fnUntraced(function* (flags: { readonly wait: boolean; readonly json: boolean }) {
  const ended = yield* withBackups(
    Effect.gen(function* () {
      const added = yield* transaction(
        requested({ work: "drill", type: "full", schedule: null, firing: null, by: Audit.operator })
      )
      return flags.wait ? yield* watched(added) : added
    })
  )
  yield* show(ended, flags)
})

const show = Effect.fnUntraced(function* (
  job: JobStore.JobRow,
  { json, wait }: { readonly json: boolean; readonly wait: boolean }
) {
  yield* print(json, JobStore.view(job), (view) => [
    `${view.work} ${view.id}: ${view.state}`,
    ...(view.size === null ? [] : [`  size ${sizeText(view.size)}`]),
    ...(view.duration_ms === null ? [] : [`  duration ${durationText(view.duration_ms)}`]),
    ...view.left_out.map(({ reason, what }) => `  left out: ${what} (${reason})`),
    ...(view.report?.checks.map(({ check, detail, ok }) => `  ${ok ? "ok " : "BAD"} ${check}: ${detail}`) ?? []),
    ...(view.report === null ? [] : [`  a real restore takes about ${durationText(view.report.real_restore_ms)}`]),
    ...(view.problem === null || view.report !== null ? [] : [`  ${view.problem}`])
  ])
  if (wait && job.state !== "done") return yield* new Ended({ code: 1 })
})

/** What a job does in each step, in words. A step without words is printed by its code. */
const stepWords = new Map([
  ["databases", "dumps the databases"],
  ["manifest", "writes the list of contents"],
  ["copy", "copies"],
  ["retention", "deletes old backups"],
  ["prepare", "prepares"]
])

const stepText = (step: string | null): string => (step === null ? "begins" : (stepWords.get(step) ?? step))

/** Waits for the end of a job and prints what changes. */
const watched = Effect.fnUntraced(function* (added: JobStore.JobRow) {
  let job = added
  let told = ""
  while (job.finished_at === null) {
    const share = job.done !== null && (job.total ?? 0) > 0 ? ` ${sizeText(job.done)} of ${sizeText(job.total!)}` : ""
    const now = job.state === "waiting" ? "waits for the daemon watchdog" : `${stepText(job.step)}${share}`
    if (now !== told) yield* Console.error(now)
    told = now
    yield* Effect.sleep(lookInterval)
    job = yield* Effect.catchTag(JobStore.get(job.id), "NotFound", () => fail("The job was deleted."))
  }
  return job
})

export const schedules = Effect.fnUntraced(function* ({ json }: { readonly json: boolean }) {
  const { config } = yield* configured
  const rows = yield* withBackups(transaction(ScheduleStore.list))
  yield* print(
    json,
    rows.map((row) => ScheduleStore.view(row, config.timeZone, Date.now())),
    (items) =>
      table("No schedules.", [
        ["ID", "NAME", "CRON", "TYPE", "ENABLED", "NEXT", "LAST SUCCESS"],
        ...items.map((item) => [
          String(item.id),
          item.name,
          item.cron,
          item.type,
          item.enabled ? "yes" : "no",
          item.next_run === null ? "" : minute(new Date(item.next_run)),
          item.last_success === null ? "never" : minute(new Date(item.last_success))
        ])
      ])
  )
})

const checkCron = (cron: string) => {
  const problem = scheduleProblem(cron)
  return problem === undefined ? Effect.void : fail(`--cron ${problem}`, exitUsage)
}

export const addSchedule = Effect.fnUntraced(function* (flags: {
  readonly name: string
  readonly cron: string
  readonly type: BackupType
  readonly json: boolean
}) {
  yield* checkCron(flags.cron)
  const name = flags.name.trim()
  if (name === "" || name.length > 100 || /\p{Cc}/u.test(name))
    return yield* fail("The name must have 1 to 100 characters without control characters.", exitUsage)
  const { cron, json, type } = flags
  const row = yield* changing(ScheduleStore.add({ name, cron, type }, Audit.operator)).pipe(
    Effect.catchTag("ScheduleNameTaken", told)
  )
  yield* shown(row, json, "added")
})

export const changeSchedule = Effect.fnUntraced(function* (flags: {
  readonly schedule: string
  readonly cron: Option.Option<string>
  readonly type: Option.Option<BackupType>
  readonly enabled: Option.Option<boolean>
  readonly json: boolean
}) {
  if (Option.isSome(flags.cron)) yield* checkCron(flags.cron.value)
  const row = yield* changing(
    Effect.flatMap(meant(flags.schedule), ({ id }) =>
      ScheduleStore.change(
        id,
        {
          ...(Option.isSome(flags.cron) ? { cron: flags.cron.value } : {}),
          ...(Option.isSome(flags.type) ? { type: flags.type.value } : {}),
          ...(Option.isSome(flags.enabled) ? { enabled: flags.enabled.value } : {})
        },
        Audit.operator
      )
    )
  ).pipe(Effect.catchTags({ NotFound: told, ScheduleNameTaken: told }))
  yield* shown(row, flags.json, "changed")
})

const shown = Effect.fnUntraced(function* (row: ScheduleStore.ScheduleRow, json: boolean, word: string) {
  const { config } = yield* configured
  yield* print(json, ScheduleStore.view(row, config.timeZone, Date.now()), (view) => [
    `schedule ${view.name} ${word}: ${view.cron}, ${view.type}, next ${view.next_run ?? "never"}`
  ])
})

export const removeSchedule = Effect.fnUntraced(function* (flags: {
  readonly schedule: string
  readonly json: boolean
}) {
  const name = yield* changing(
    Effect.flatMap(meant(flags.schedule), ({ id }) => ScheduleStore.remove(id, Audit.operator))
  ).pipe(Effect.catchTag("NotFound", told))
  yield* print(flags.json, { removed: name }, () => [`schedule ${name} removed; its backups stay`])
})

export const prune = Effect.fnUntraced(function* ({
  dryRun,
  json
}: {
  readonly dryRun: boolean
  readonly json: boolean
}) {
  const { restic } = yield* configured
  const found = yield* spoken(
    Effect.gen(function* () {
      const forgotten = yield* Retention.apply(restic, backupTypes, dryRun)
      if (!dryRun && forgotten.remove.length > 0) yield* restic.prune
      return forgotten
    })
  )
  const removed = found.remove.map((snapshot) => BackupList.view(snapshot, undefined))
  yield* print(json, { kept: found.keep.length, removed, dry_run: dryRun }, () => [
    `${found.keep.length} backups are kept, ${removed.length} ${dryRun ? "would be" : "are"} deleted`,
    ...removed.map((one) => `  ${one.short_id} ${minute(new Date(one.time))} ${one.type ?? ""}`)
  ])
})
