/**
 * Starts the workflows that are registered for an event type, with data from a request. Nothing is emitted: other
 * readers of events get only what daemons emit.
 */
import { randomUUID } from "node:crypto"
import { Effect, Result, Schema } from "effect"
import { Caller, type CallerInfo, nameOf, tenantOf } from "#core/auth/Caller.ts"
import { AlarmPayload, alarmReceived } from "#core/contracts/Alarm.ts"
import { mayReceive } from "#core/contracts/EventAccess.ts"
import { type Event, matches } from "#core/events/Events.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { fieldProblems, Forbidden, InvalidRequest, orUnavailable } from "#core/http/Problem.ts"
import { Jobs } from "#core/jobs/Jobs.ts"
import { noteMade } from "../alarms/Exports.ts"
import { Ledger, linkOf, type RunSource } from "../runs/Exports.ts"
import { TriggerResponse, UnknownEventType } from "./Api.ts"
import { WorkflowStep } from "./engine/EventConsumer.ts"
import type { EventWorkflow } from "./engine/EventWorkflow.ts"
import { beginnings, runOf } from "./engine/MatchEvent.ts"

/** Place of the event's data in the request. */
const place = "payload.payload"

const invalid = (message: string) => new InvalidRequest({ errors: [{ field: place, message }] })

/** Reads `data` with `schema`, as strictly as a body. */
const read = <A>(schema: Schema.Codec<A, unknown>, data: unknown): Effect.Effect<A, InvalidRequest> => {
  const read = Schema.decodeUnknownResult(schema)(data, { errors: "all", onExcessProperty: "error" })
  return Result.isSuccess(read)
    ? Effect.succeed(read.success)
    : Effect.fail(new InvalidRequest({ errors: fieldProblems(place, read.failure.issue) }))
}

/** The payload of an alarm trigger. */
export const alarmOf = (payload: unknown) => read(AlarmPayload, payload)

/** Event types and patterns that a request can name, for the answer to an unknown type. Pure. */
export const knownTypes = (workflows: ReadonlyArray<Pick<EventWorkflow, "on">>): ReadonlyArray<string> => [
  alarmReceived,
  ...[...new Set(workflows.map(({ on }) => on))].toSorted()
]

/** Text that Postgres cannot store: NUL and lone surrogates. JSON writes both as escapes. */
const unstorable = /(?:^|[^\\])(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/i

/** An event as a request describes it. It has no id, because it is not in the event log. */
const eventOf = (event_type: string, data: unknown, caller: CallerInfo): Event => ({
  id: 0n,
  type: event_type,
  source: nameOf(caller),
  tenantId: tenantOf(caller),
  userId: null,
  data,
  at: new Date()
})

export const makeTriggerEvent = (workflows: ReadonlyArray<EventWorkflow>) =>
  Effect.map(Jobs, (jobs) =>
    Effect.fnUntraced(function* (
      { data, event_type }: { readonly event_type: string; readonly data: unknown },
      key: string | undefined
    ) {
      const registered = workflows.filter(({ on }) => matches(on, event_type))
      if (registered.length === 0)
        return yield* new UnknownEventType({ detail: `Known event types: ${knownTypes(workflows).join(", ")}.` })
      const caller = yield* Caller
      // Otherwise a user could tell other users of the tenant of changes to their accounts.
      if (caller.kind === "user" && !mayReceive(event_type, caller.permissions))
        return yield* new Forbidden({ detail: "Only who may receive events of this type may start their workflows." })
      for (const workflow of registered) yield* read(workflow.data, data)
      if (unstorable.test(JSON.stringify([event_type, data])))
        return yield* invalid("must not contain NUL or lone surrogates")

      const event = eventOf(event_type, data, caller)
      const begun = beginnings(registered, event, `api:${randomUUID()}`)
      if (begun.length === 0) return yield* invalid("No workflow starts from an event with this data")
      const source: RunSource = { kind: "api", ...(caller.kind === "user" ? { user_id: caller.userId } : {}) }
      const start = Effect.gen(function* () {
        const runs = begun.map((beginning) => ({
          id: beginning.id,
          ...runOf(beginning, event, new Date().toISOString(), source)
        }))
        for (const { id, state, ...run } of runs) {
          yield* Ledger.begin({ ...run, state })
          yield* noteMade({ id, tenantId: run.trigger.tenantId }, { event_type, state })
          if (state === "running") yield* jobs.send(WorkflowStep, [{ data: { run_id: id } }])
        }
        const [{ id, reason, state }] = runs as [(typeof runs)[number]]
        const ids = runs.length === 1 ? {} : { run_ids: runs.map((run) => run.id) }
        return { run_id: id, state, reason, links: { run: linkOf(id) }, ...ids }
      })
      return yield* orUnavailable(
        Idempotency.once({
          key,
          endpoint: "workflows.trigger",
          body: { event_type, payload: data },
          response: TriggerResponse,
          create: start
        })
      )
    })
  )
