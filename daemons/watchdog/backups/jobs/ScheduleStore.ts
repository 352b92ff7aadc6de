/** Reads and changes schedules. Runs in the surrounding transaction. */
import { Effect, Result } from "effect"
import { SqlClient } from "effect/sql"
import { providerTenant } from "#core/auth/Caller.ts"
import { Wake } from "#core/events/Wake.ts"
import { NotFound } from "#core/http/Problem.ts"
import * as Audit from "#core/log/Audit.ts"
import type { NewSchedule, ScheduleChange, ScheduleView } from "../Api.ts"
import type { BackupType, JobState } from "../BackupWords.ts"
import { ScheduleNameTaken } from "../Errors.ts"
import { nextFiring, parseSchedule } from "../ScheduleTimes.ts"
import { jobTopic } from "./JobStore.ts"

export interface ScheduleRow {
  readonly id: number
  readonly name: string
  readonly cron: string
  readonly type: BackupType
  readonly enabled: boolean
  readonly last_firing: Date | null
  readonly created_at: Date
  readonly updated_at: Date
  readonly last_success: Date | null
  readonly last_state: JobState | null
  readonly last_problem: string | null
}

export const list = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<ScheduleRow>`
    select s.id, s.name, s.cron, s.type, s.enabled, s.last_firing, s.created_at, s.updated_at,
        (select max(finished_at) from watchdog.backup_job
          where schedule_id = s.id and work = 'backup' and state = 'done') as last_success,
        latest.state as last_state, latest.problem as last_problem
      from watchdog.backup_schedule s
      left join lateral (
        select state, problem from watchdog.backup_job where schedule_id = s.id and work = 'backup'
          order by seq desc limit 1
      ) latest on true
      order by s.id`
)

/** The schedule with this id, or 404. */
export const get = (id: number) =>
  Effect.flatMap(list, (rows) => {
    const row = rows.find((one) => one.id === id)
    return row === undefined
      ? Effect.fail(new NotFound({ detail: "The schedule does not exist." }))
      : Effect.succeed(row)
  })

export const view = (row: ScheduleRow, zone: string, now: number): typeof ScheduleView.Type => {
  const parsed = Result.getOrUndefined(parseSchedule(row.cron))
  const next = parsed === undefined || !row.enabled ? undefined : nextFiring(parsed, now, zone)
  return {
    id: row.id,
    name: row.name,
    cron: row.cron,
    type: row.type,
    enabled: row.enabled,
    next_run: next === undefined ? null : new Date(next).toISOString(),
    last_firing: row.last_firing?.toISOString() ?? null,
    last_success: row.last_success?.toISOString() ?? null,
    last_state: row.last_state,
    last_problem: row.last_problem,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString()
  }
}

const audited = (action: string, id: number, actor: string, detail: Readonly<Record<string, unknown>>) =>
  Effect.andThen(
    Audit.write({
      tenantId: providerTenant,
      actor,
      action: `backup_schedule.${action}`,
      entity: "backup_schedule",
      id: String(id),
      detail
    }),
    Effect.flatMap(Wake, (wake) => wake.announce(jobTopic))
  )

export const add = Effect.fnUntraced(function* (schedule: typeof NewSchedule.Type, actor: string) {
  const sql = yield* SqlClient.SqlClient
  const { cron, enabled = true, name, type } = schedule
  const [added] = yield* sql<{ id: number }>`insert into watchdog.backup_schedule (name, cron, type, enabled)
    values (${name}, ${cron.trim()}, ${type}, ${enabled}) on conflict (name) do nothing returning id`
  if (added === undefined) return yield* new ScheduleNameTaken({})
  yield* audited("created", added.id, actor, { name, cron, type, enabled })
  return yield* Effect.orDie(get(added.id))
})

export const change = Effect.fnUntraced(function* (id: number, changes: typeof ScheduleChange.Type, actor: string) {
  const sql = yield* SqlClient.SqlClient
  const before = yield* get(id)
  const { cron, enabled, name, type } = { ...before, ...changes }
  const taken = yield* sql`select 1 from watchdog.backup_schedule where name = ${name} and id <> ${id}`
  if (taken.length > 0) return yield* new ScheduleNameTaken({})
  // Times of the past that only the new expression has are not made up.
  const restart = cron.trim() !== before.cron || (enabled && !before.enabled)
  yield* sql`update watchdog.backup_schedule set name = ${name}, cron = ${cron.trim()}, type = ${type},
      enabled = ${enabled}, updated_at = now(),
      last_firing = ${restart ? sql`greatest(last_firing, now())` : sql`last_firing`}
    where id = ${id}`
  yield* audited("changed", id, actor, changes)
  return yield* get(id)
})

export const remove = Effect.fnUntraced(function* (id: number, actor: string) {
  const sql = yield* SqlClient.SqlClient
  const { name } = yield* get(id)
  yield* sql`delete from watchdog.backup_schedule where id = ${id}`
  yield* audited("deleted", id, actor, { name })
  return name
})
