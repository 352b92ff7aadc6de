import { randomUUID } from "node:crypto"
import { Clock, Effect, Option } from "effect"
import * as Handlers from "#core/http/Handlers.ts"
import { Caller, inScope, nameOf, tenantOf } from "#core/auth/Caller.ts"
import { alarmReceived } from "#core/contracts/Alarm.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { InvalidRequest, NotFound, orUnavailable } from "#core/http/Problem.ts"
import { offeredLanguageFor } from "#core/words/InLanguage.ts"
import { StoredSettings } from "#core/settings/StoredSettings.ts"
import { acknowledgedBy, timeRangeOf } from "../vocabulary/Exports.ts"
import {
  acknowledgeRun,
  type Finished,
  noteAcknowledged,
  noteMade,
  ofTrigger,
  RequestLimits,
  ResultCache,
  StartRun
} from "../alarms/Exports.ts"
import { linkOf, runIn, RunViews } from "../runs/Exports.ts"
import { WorkflowsApi, defaultPage, NotAnAlarm, TriggerResponse } from "./Api.ts"
import { eventWorkflows } from "./definitions/Registry.ts"
import * as RunCounts from "./RunCounts.ts"
import { alarmOf, makeTriggerEvent } from "./TriggerEvent.ts"
import { workflowList } from "./WorkflowList.ts"

const notAnAlarm = new NotAnAlarm({ detail: "The run was started by an event; only alarms can be acknowledged." })
const noSuchRun = new NotFound({ detail: "The run does not exist." })

export const workflowHandlers = Handlers.group(
  WorkflowsApi,
  "workflows",
  Effect.fn(function* (handlers) {
    const startRun = yield* StartRun
    const results = yield* ResultCache
    const limits = yield* RequestLimits
    const triggerEvent = yield* makeTriggerEvent(eventWorkflows)
    const { fresh } = yield* StoredSettings
    return handlers.handleAll({
      trigger: Effect.fnUntraced(function* ({ headers, payload }) {
        const { event_type } = payload
        if (event_type !== alarmReceived)
          return yield* triggerEvent({ event_type, data: payload.payload }, headers["idempotency-key"])
        const alarm = yield* alarmOf(payload.payload)
        const caller = yield* Caller
        const tenant = tenantOf(caller)
        const requested = ofTrigger(alarm)
        yield* limits.checkRequest(requested)
        yield* fresh
        let finished: Finished | undefined
        const start = startRun
          .start({
            trigger_key: `api:${randomUUID()}`,
            event_type,
            payload: alarm,
            source: { kind: "api", ...(caller.kind === "user" ? { user_id: caller.userId } : {}) },
            tenant_id: tenant,
            received_at: new Date().toISOString(),
            platform: caller.kind === "service"
          })
          .pipe(
            Effect.tap(({ id, state }) => noteMade({ id, tenantId: tenant }, { event_type, state })),
            Effect.map((started) => {
              finished = started.finished
              const { id, reason, state } = started
              return { run_id: id, state, reason, links: { run: linkOf(id) } }
            })
          )
        const answer = yield* orUnavailable(
          Idempotency.once({
            key: headers["idempotency-key"],
            endpoint: "workflows.trigger",
            body: payload,
            response: TriggerResponse,
            create: Effect.andThen(limits.checkQuota(requested.calls.length), start)
          })
        )
        if (finished !== undefined) yield* results.remember(finished)
        return answer
      }),
      registry: Effect.fnUntraced(function* () {
        const counts = yield* orUnavailable(inScope(RunCounts.lastDay))
        return { items: workflowList(eventWorkflows, counts, yield* offeredLanguageFor(undefined)) }
      }),
      statistics: Effect.fnUntraced(function* ({ query }) {
        const range = timeRangeOf(query, yield* Clock.currentTimeMillis)
        if (typeof range === "string")
          return yield* new InvalidRequest({ errors: [{ field: "query.since", message: range }] })
        const buckets = yield* orUnavailable(inScope(RunCounts.buckets(range, query.workflow)))
        return { since: new Date(range.since).toISOString(), until: new Date(range.until).toISOString(), buckets }
      }),
      list: Effect.fnUntraced(function* ({ query }) {
        const limit = query.limit ?? defaultPage
        const found = yield* orUnavailable(inScope(RunViews.listRuns({ ...query, limit: limit + 1 })))
        const items = found.slice(0, limit)
        return { items, next_before: found.length > limit ? items.at(-1)!.seq : null }
      }),
      show: Effect.fnUntraced(function* ({ params }) {
        const run = yield* orUnavailable(inScope(RunViews.getRun(params.id)))
        return Option.isSome(run) ? runIn(yield* offeredLanguageFor(undefined), run.value) : yield* noSuchRun
      }),
      acknowledge: Effect.fnUntraced(function* ({ params, payload }) {
        const by = acknowledgedBy(nameOf(yield* Caller), payload?.note)
        const found = yield* orUnavailable(inScope(Effect.tap(acknowledgeRun(params.id, by), noteAcknowledged)))
        if (Option.isNone(found))
          return yield* Option.isSome(yield* orUnavailable(inScope(RunViews.getRun(params.id))))
            ? notAnAlarm
            : noSuchRun
        const { acknowledged_at, acknowledged_by, finished, id, state, suppressed } = found.value
        if (finished !== undefined) yield* results.remember(finished)
        return { run_id: id, state, acknowledged_at, acknowledged_by, suppressed, links: { run: linkOf(id) } }
      })
    })
  })
)
