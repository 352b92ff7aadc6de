import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { withClient } from "#core/postgres/Bootstrap.ts"
import { watchdog } from "#daemons/watchdog/Daemon.ts"
import { until } from "#support/Frame.ts"
import { migratedDatabase } from "#support/Postgres.ts"
import { callsOf, startWatchdog, unwatched } from "./BackupSuite.ts"

const refusal = ({ json, status }: { readonly status: number; readonly json: any }) => [status, json.code]

it.live(
  "schedules are added, changed and removed, by the provider only, and nothing runs without a repository",
  () =>
    Effect.gen(function* () {
      const suite = yield* startWatchdog({})
      const { get, post, put, remove } = callsOf(suite)
      const weekly = { name: "weekly", cron: " 0 4 * * 0 ", type: "databases" }
      const key = { "idempotency-key": "one" }
      const added = yield* post("/schedules", weekly, key)
      expect(added.status).toBe(201)
      expect(added.json).toMatchObject({ name: "weekly", cron: "0 4 * * 0", enabled: true, last_state: null })
      expect(new Date(added.json.next_run).getUTCDay()).toBe(0)
      expect((yield* post("/schedules", weekly, key)).json.id).toBe(added.json.id)
      expect(refusal(yield* post("/schedules", weekly))).toEqual([409, "schedule_name_taken"])
      expect(refusal(yield* post("/schedules", { ...weekly, name: "x", cron: "* * * * *" }))).toEqual([
        422,
        "invalid_request"
      ])
      expect((yield* post("/schedules", { ...weekly, name: "\u0000", type: "all" })).status).toBe(422)
      const id = added.json.id
      expect((yield* put(`/schedules/${id}`, { enabled: false })).json).toMatchObject({
        enabled: false,
        next_run: null
      })
      expect(refusal(yield* put(`/schedules/${id}`, { name: "nightly" }))).toEqual([409, "schedule_name_taken"])
      expect(refusal(yield* post(`/trigger/${id}`))).toEqual([409, "not_configured"])
      expect(refusal(yield* get(""))).toEqual([409, "not_configured"])
      expect((yield* get("/jobs")).json).toEqual({ items: [], next_before: null })
      expect((yield* get("/jobs/0b8f6a1e-0000-4000-8000-000000000001")).status).toBe(404)
      expect((yield* remove(`/schedules/${id}`)).status).toBe(204)
      expect((yield* remove(`/schedules/${id}`)).status).toBe(404)
      expect((yield* get("/schedules")).json.map(({ name }: { name: string }) => name)).toEqual(["nightly"])
      const audit = yield* suite.sql<{ action: string; actor: string }>`
        select action, actor from core.audit where entity_type = 'backup_schedule' order by id`
      expect(audit.map(({ action }) => action)).toEqual([
        "backup_schedule.created",
        "backup_schedule.changed",
        "backup_schedule.deleted"
      ])

      // A customer's user with every permission is refused; so is a user of the provider without the permission.
      const customer = callsOf(suite, 2)
      const reader = callsOf(suite, 1, "backups.read")
      const stranger = callsOf(suite, 1, "system.read")
      for (const path of ["", "/schedules", "/jobs", "/retention"]) {
        expect((yield* customer.get(path)).status, path).toBe(403)
        expect((yield* stranger.get(path)).status, path).toBe(403)
      }
      expect((yield* reader.get("/schedules")).status).toBe(200)
      for (const { post, put, remove } of [customer, reader]) {
        expect((yield* post("/schedules", weekly)).status).toBe(403)
        expect((yield* post("/trigger/1")).status).toBe(403)
        expect((yield* post("/drill")).status).toBe(403)
        expect((yield* put("/schedules/1", { enabled: false })).status).toBe(403)
        expect((yield* remove("/schedules/1")).status).toBe(403)
      }
    }).pipe(Effect.scoped),
  240_000
)

it.live(
  "a job of a process that died begins again, and after the third time it is lost and an alarm is raised",
  () =>
    Effect.gen(function* () {
      const database = yield* migratedDatabase([watchdog.migrations])
      yield* withClient(
        database.superuser,
        (
          sql
        ) => sql`insert into watchdog.backup_job (work, type, state, schedule, requested_by, runner, attempts) values
          ('backup', 'full', 'running', 'nightly', 'test', gen_random_uuid(), 3),
          ('drill', 'full', 'running', null, 'test', gen_random_uuid(), 2),
          ('restore', 'full', 'running', null, 'test', gen_random_uuid(), 1)`
      )
      const suite = yield* startWatchdog(unwatched, database)
      const { get } = callsOf(suite)
      let jobs: ReadonlyArray<any> = []
      yield* until(
        "all jobs ended",
        Effect.map(get("/jobs"), ({ json }) => (jobs = json.items).every((job: any) => job.finished_at !== null)),
        60
      )
      const lost = "The process that ran the job ended in the middle."
      expect(jobs.map(({ problem, state, work }) => [work, state, problem])).toEqual([
        ["restore", "lost", lost],
        ["drill", "failed", "SIGNALBOX_BACKUP_REPOSITORY is not set"],
        ["backup", "lost", lost]
      ])
      const alerts = yield* suite.sql<{
        key: string
      }>`select key from watchdog.alert where closed_at is null order by key`
      expect(alerts.map(({ key }) => key)).toEqual(["backup drill", "backup nightly"])
    }).pipe(Effect.scoped),
  120_000
)
