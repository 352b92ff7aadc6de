import { Effect } from "effect"
import { Caller, nameOf, providerTenant } from "#core/auth/Caller.ts"
import { settings } from "#core/config/Environment.ts"
import * as Handlers from "#core/http/Handlers.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { defaultPage } from "#core/http/Paging.ts"
import { NotConfigured, orUnavailable } from "#core/http/Problem.ts"
import * as Audit from "#core/log/Audit.ts"
import { asPlatform, transaction } from "#core/sql/Sql.ts"
import { BackupsApi, JobView, ScheduleView } from "./Api.ts"
import * as BackupList from "./BackupList.ts"
import * as Restic from "./engine/Restic.ts"
import { ResticError } from "./engine/ResticError.ts"
import { RepositoryUnavailable } from "./Errors.ts"
import * as JobStore from "./jobs/JobStore.ts"
import * as ScheduleStore from "./jobs/ScheduleStore.ts"
import { backupSettings, isConfigured } from "./Settings.ts"

const notConfigured = new NotConfigured({
  detail: "There is no backup repository.",
  settings: ["SIGNALBOX_BACKUP_REPOSITORY", "SIGNALBOX_BACKUP_PASSWORD"]
})

type Refusal = NotConfigured | RepositoryUnavailable

/** restic's refusal as an answer. */
const orProblem = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.catchIf(
    effect,
    (error) => error instanceof ResticError,
    ({ message, reason }): Effect.Effect<never, Refusal> =>
      Effect.fail(reason === "NotConfigured" ? notConfigured : new RepositoryUnavailable({ detail: message }))
  ) as Effect.Effect<A, Exclude<E, ResticError> | Refusal, R>

export const backups = Handlers.group(
  BackupsApi,
  "backups",
  Effect.fn(function* (handlers) {
    const config = yield* settings(backupSettings)
    const restic = Restic.make(config)
    const shown = (row: ScheduleStore.ScheduleRow) => ScheduleStore.view(row, config.timeZone, Date.now())
    const configured = isConfigured(config) ? Effect.void : Effect.fail(notConfigured)
    const actor = Effect.map(Caller, nameOf)
    const requested = (job: JobStore.NewJob) =>
      Effect.gen(function* () {
        const added = (yield* JobStore.add(job))!
        yield* Audit.writeFor({
          tenantId: providerTenant,
          action: `backup_job.${job.work}_requested`,
          entity: "backup_job",
          id: added.id,
          detail: { schedule: job.schedule?.name ?? null }
        })
        return JobStore.view(added)
      })
    return handlers.handleAll({
      list: ({ query: { before, limit = defaultPage, schedule_id, type } }) =>
        orProblem(orUnavailable(BackupList.page(restic, { before, limit, schedule_id, type }))),
      schedules: () => orUnavailable(Effect.map(transaction(ScheduleStore.list), (rows) => rows.map(shown))),
      jobs: ({ query: { before, limit = defaultPage, ...filter } }) =>
        orUnavailable(
          Effect.map(transaction(JobStore.list(filter, before, limit + 1)), (rows) => {
            const items = rows.slice(0, limit)
            return { items: items.map(JobStore.view), next_before: rows.length > limit ? items.at(-1)!.seq : null }
          })
        ),
      job: ({ params: { uuid } }) => orUnavailable(Effect.map(transaction(JobStore.get(uuid)), JobStore.view)),
      retention: () => orProblem(orUnavailable(BackupList.retention(restic))),
      addSchedule: Effect.fnUntraced(function* ({ headers, payload }) {
        const by = yield* actor
        return yield* orUnavailable(
          Idempotency.once({
            key: headers["idempotency-key"],
            endpoint: "backups.schedules",
            body: payload,
            response: ScheduleView,
            create: asPlatform(Effect.map(ScheduleStore.add(payload, by), shown))
          })
        )
      }),
      changeSchedule: Effect.fnUntraced(function* ({ params: { id }, payload }) {
        return shown(yield* orUnavailable(transaction(ScheduleStore.change(id, payload, yield* actor))))
      }),
      removeSchedule: Effect.fnUntraced(function* ({ params: { id } }) {
        yield* orUnavailable(transaction(ScheduleStore.remove(id, yield* actor)))
      }),
      trigger: Effect.fnUntraced(function* ({ headers, params: { schedule_id } }) {
        yield* configured
        const by = yield* actor
        return yield* orUnavailable(
          Idempotency.once({
            key: headers["idempotency-key"],
            endpoint: "backups.trigger",
            body: { schedule_id },
            response: JobView,
            create: asPlatform(
              Effect.flatMap(ScheduleStore.get(schedule_id), ({ id, name, type }) =>
                requested({ work: "backup", type, schedule: { id, name }, firing: null, by })
              )
            )
          })
        )
      }),
      drill: Effect.fnUntraced(function* ({ headers }) {
        yield* configured
        const by = yield* actor
        return yield* orUnavailable(
          Idempotency.once({
            key: headers["idempotency-key"],
            endpoint: "backups.drill",
            body: {},
            response: JobView,
            create: asPlatform(requested({ work: "drill", type: "full", schedule: null, firing: null, by }))
          })
        )
      })
    })
  })
)
