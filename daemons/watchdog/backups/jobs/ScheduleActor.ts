/** Adds jobs at the times of the schedules, and alarms when a backup did not run. Placed: one process of the fleet. */
import { Clock, Duration, Effect, Result } from "effect"
import { SqlClient } from "effect/sql"
import { Wake } from "#core/events/Wake.ts"
import { transaction } from "#core/sql/Sql.ts"
import { Actor } from "#core/supervision/Supervisor.ts"
import { Alerts } from "../../alerting/Exports.ts"
import { decide, isMissed, longestAhead, parseSchedule } from "../ScheduleTimes.ts"
import { type BackupSettings, isConfigured, noDrill } from "../Settings.ts"
import * as JobStore from "./JobStore.ts"
import { missedWords } from "./NoticeWords.ts"
import { alertGroup, backupKey, missedKey } from "./Notices.ts"
import * as ScheduleStore from "./ScheduleStore.ts"

export const scheduleActor = (config: BackupSettings) => ({
  name: "backup schedules",
  placed: true,
  run: Effect.gen(function* () {
    const actor = yield* Actor
    const wakeup = yield* (yield* Wake).subscribe(JobStore.jobTopic)
    /** Names of schedules that are told as missed, or not. */
    const told = new Map<string, boolean>()
    /** Names of removed schedules, with their newest job when their alerts were closed. */
    const closed = new Map<string, number>()
    while (true) {
      yield* actor.progress
      const rows = yield* ScheduleStore.list
      yield* actor.note(`${rows.length} schedules`)
      if (isConfigured(config)) {
        const now = yield* Clock.currentTimeMillis
        for (const row of rows) yield* fire(row, config.timeZone, now)
        yield* fireDrill(rows, config, now)
        yield* tellMissed(rows, config.timeZone, now, told)
      }
      yield* closeRemoved(closed)
      yield* transaction(JobStore.prune)
      yield* wakeup.wait(Duration.millis(config.tick))
    }
  })
})

const fire = Effect.fnUntraced(function* (row: ScheduleStore.ScheduleRow, zone: string, now: number) {
  const schedule = Result.getOrUndefined(parseSchedule(row.cron))
  if (!row.enabled || schedule === undefined) return
  const before = (row.last_firing ?? row.created_at).getTime()
  const { firing, stored } = decide(schedule, before, now, zone)
  if (stored === before) return
  const at = new Date(stored)
  yield* transaction(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const mine = yield* sql`update watchdog.backup_schedule set last_firing = ${at}
        where id = ${row.id} and last_firing is not distinct from ${row.last_firing} returning 1`
      if (mine.length === 0 || firing === undefined) return
      const { id, name, type } = row
      yield* JobStore.add({ work: "backup", type, schedule: { id, name }, firing: at, by: "schedule" })
    })
  )
})

const fireDrill = Effect.fnUntraced(function* (
  rows: ReadonlyArray<ScheduleStore.ScheduleRow>,
  { drillCron, timeZone }: BackupSettings,
  now: number
) {
  const schedule = drillCron.trim() === noDrill ? undefined : Result.getOrUndefined(parseSchedule(drillCron))
  const began = Math.min(...rows.map(({ created_at }) => created_at.getTime()))
  if (schedule === undefined || !Number.isFinite(began)) return
  const sql = yield* SqlClient.SqlClient
  const [last] = yield* sql<{ firing: Date | null; backups: boolean }>`
    select (select max(firing) from watchdog.backup_job
          where work = 'drill' and firing <= ${new Date(now + longestAhead)}) as firing,
        exists (select 1 from watchdog.backup_job where work = 'backup' and state = 'done') as backups`
  // Before the first backup there is nothing to restore.
  if (last?.backups !== true) return
  const { firing } = decide(schedule, last.firing?.getTime() ?? began, now, timeZone)
  if (firing === undefined) return
  yield* transaction(
    JobStore.add({ work: "drill", type: "full", schedule: null, firing: new Date(firing), by: "schedule" })
  )
})

const tellMissed = Effect.fnUntraced(function* (
  rows: ReadonlyArray<ScheduleStore.ScheduleRow>,
  zone: string,
  now: number,
  told: Map<string, boolean>
) {
  const alerts = yield* Alerts
  const at = new Date(now)
  for (const row of rows) {
    const schedule = Result.getOrUndefined(parseSchedule(row.cron))
    const missed =
      row.enabled &&
      schedule !== undefined &&
      isMissed(schedule, { since: row.updated_at.getTime(), success: row.last_success?.getTime() ?? 0 }, now, zone)
    if (told.get(row.name) === missed) continue
    yield* alerts.report({
      key: missedKey(row.name),
      group: alertGroup,
      severity: "critical",
      summary: missedWords(row.name, row.last_success, "en"),
      summaryDe: missedWords(row.name, row.last_success, "de"),
      failing: missed,
      at
    })
    told.set(row.name, missed)
  }
  for (const name of told.keys()) {
    if (rows.some((row) => row.name === name)) continue
    yield* alerts.remove(missedKey(name), at)
    told.delete(name)
  }
})

/** Closes the alerts of schedules that were removed or renamed: no backup of that name ends them any more. */
const closeRemoved = Effect.fnUntraced(function* (closed: Map<string, number>) {
  const alerts = yield* Alerts
  const sql = yield* SqlClient.SqlClient
  // One snapshot of both tables: an earlier list of the schedules may lack one that has run since.
  const removed = yield* sql<{ name: string; newest: Date }>`
    select j.schedule as name, max(j.finished_at) as newest from watchdog.backup_job j
      where j.schedule is not null and j.finished_at is not null
        and not exists (select 1 from watchdog.backup_schedule s where s.name = j.schedule)
      group by j.schedule`
  for (const { name, newest } of removed) {
    if (closed.get(name) === newest.getTime()) continue
    for (const key of [backupKey(name), missedKey(name)]) yield* alerts.remove(key, newest)
    closed.set(name, newest.getTime())
  }
})
