import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiError, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as Api from "#core/http/Api.ts"
import { Authentication } from "#core/auth/Authentication.ts"
import { Requires } from "#core/auth/Permissions.ts"
import { AlarmPayload } from "#core/contracts/Alarm.ts"
import { plainText } from "#core/http/Paging.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { codeField, declaration, NotFound } from "#core/http/Problem.ts"
import { CallLimitReached } from "../alarms/Exports.ts"
import { severities, timeRangeQuery } from "../vocabulary/Exports.ts"
import { RunState, RunSummary, RunView } from "../runs/Exports.ts"
import { WorkflowView } from "./WorkflowList.ts"

/** 422: no workflow starts with this event type. */
export class UnknownEventType extends HttpApiError.Problem<UnknownEventType>()(
  "UnknownEventType",
  declaration("unknown_event_type", 422, "No workflow starts from this event type"),
  codeField("unknown_event_type")
) {}

/** 409: an event began the run; it sends nothing that an acknowledgement could stop. */
export class NotAnAlarm extends HttpApiError.Problem<NotAnAlarm>()(
  "NotAnAlarm",
  declaration("not_an_alarm", 409, "This run is not an alarm"),
  codeField("not_an_alarm")
) {}

/** Maximum number of runs per page. */
export const maxPage = 200
export const defaultPage = 50

/** Longest search text. Unit: UTF-16 code units. */
const maxSearch = 100

export const TriggerRequest = Schema.Struct({
  event_type: Schema.String.pipe(Schema.check(Schema.isMaxLength(100))),
  /** `AlarmPayload` for `email.alarm.received`; data of the event for other types. The handler validates it. */
  payload: Schema.Union([AlarmPayload, Schema.Record(Schema.String, Schema.Unknown)])
})

/** Links to related endpoints. */
const Links = Schema.Struct({ run: Schema.String })

export const TriggerResponse = Schema.Struct({
  run_id: Schema.String,
  state: RunState,
  /** Reason of a rejection. */
  reason: Schema.NullOr(Schema.String),
  links: Links,
  /** All runs, when several workflows are registered for the event type; `run_id` is the first. */
  run_ids: Schema.optionalKey(Schema.Array(Schema.String))
}).annotate({ identifier: "TriggerResponse" })

export const RunPage = Schema.Struct({
  items: Schema.Array(RunSummary),
  /** Cursor for the next page; null on the last page. */
  next_before: Schema.NullOr(Schema.Number)
})

/** Longest note of an acknowledgement. Unit: UTF-16 code units. Reason: a sentence or two. */
export const maxNoteLength = 500

export const AcknowledgeRequest = Schema.Struct({
  note: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(maxNoteLength)))
}).annotate({ identifier: "AcknowledgeRequest" })

export const AcknowledgeResponse = Schema.Struct({
  run_id: Schema.String,
  /**
   * `running` while an attempt is under way, then `acknowledged`; for a run that had finished before: its final state.
   */
  state: RunState,
  acknowledged_at: Schema.String,
  /** The first who acknowledged. */
  acknowledged_by: Schema.String,
  /** Number of targets that this request suppressed. */
  suppressed: Schema.Int,
  links: Links
}).annotate({ identifier: "AcknowledgeResponse" })

const whole = (maximum: number) =>
  Schema.NumberFromString.pipe(Schema.decodeTo(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum }))))

const runId = { id: Schema.String.pipe(Schema.check(Schema.isUUID())) }

const WorkflowName = Schema.String.check(Schema.isMaxLength(50), Schema.isPattern(/^[a-z][a-z0-9-]*$/))

const Counts = Schema.Record(Schema.String, Schema.Int)

export const StatisticsResponse = Schema.Struct({
  since: Schema.String,
  until: Schema.String,
  /** Buckets of equal length. `states` and `severities` count the runs that began in the bucket. */
  buckets: Schema.Array(Schema.Struct({ at: Schema.String, states: Counts, severities: Counts }))
}).annotate({ identifier: "WorkflowStatistics" })

/** Workflows and their runs: list, start, read, acknowledge. */
const workflows = HttpApiGroup.make("workflows")
  .add(
    HttpApiEndpoint.post("trigger", "/trigger", {
      headers: Idempotency.headers,
      payload: TriggerRequest,
      success: TriggerResponse.pipe(HttpApiSchema.status(202)),
      error: [UnknownEventType, CallLimitReached]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Start a workflow",
        description:
          "Starts the workflows that are registered for `event_type` (`GET /api/v1/workflows` lists them). For " +
          "`email.alarm.received` that is the alarm workflow: the sender in `email_from` must be allowed, and a " +
          "refused or malformed alarm gets 202 with state `rejected` and is in the ledger. For another event type " +
          "`payload` is the data of the event. Nothing is emitted: only workflows get it. A user needs the " +
          "permission that receiving events of this type needs. 422 `unknown_event_type` lists the known types."
      })
    ),
    HttpApiEndpoint.get("registry", "/", {
      success: Schema.Struct({ items: Schema.Array(WorkflowView) })
    }).annotateMerge(OpenApi.annotations({ summary: "Workflows with their runs of the last 24 hours" })),
    HttpApiEndpoint.get("statistics", "/statistics", {
      query: { ...timeRangeQuery, workflow: Schema.optionalKey(WorkflowName) },
      success: StatisticsResponse
    }).annotateMerge(OpenApi.annotations({ summary: "Number of runs in a period, by state and severity" })),
    HttpApiEndpoint.get("list", "/runs", {
      query: {
        limit: Schema.optionalKey(whole(maxPage)),
        /** `next_before` of the previous page. */
        before: Schema.optionalKey(whole(Number.MAX_SAFE_INTEGER)),
        workflow: Schema.optionalKey(WorkflowName),
        state: Schema.optionalKey(RunState),
        severity: Schema.optionalKey(Schema.Literals(severities)),
        acknowledged: Schema.optionalKey(Schema.Literals(["true", "false"])),
        q: Schema.optionalKey(plainText(maxSearch))
      },
      success: RunPage
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Runs, newest first",
        description:
          "`acknowledged=false`: alarms that were sent and that nobody has acknowledged. `q` matches a part of the " +
          "subject, of the sender or of the beginning of the text, in any letter case, or a run's id."
      })
    ),
    HttpApiEndpoint.get("show", "/runs/:id", { params: runId, success: RunView, error: NotFound }).annotateMerge(
      OpenApi.annotations({ summary: "One run with its steps, and every target and attempt" })
    ),
    HttpApiEndpoint.post("acknowledge", "/runs/:id/acknowledge", {
      params: runId,
      // Null allows a request without a body.
      payload: [AcknowledgeRequest, Schema.Null],
      success: AcknowledgeResponse,
      error: [NotFound, NotAnAlarm]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Acknowledge a run",
        description:
          "Stops the open retries, fallbacks and calls of the run; an attempt under way is completed. The body may " +
          "be empty. A repeated acknowledgement changes nothing and returns the first one. 409 for a run that an " +
          "event started."
      })
    )
  )
  .middleware(Authentication)
  .prefix("/api/v1/workflows")
  .annotate(Requires, "workflows.manage")

export const WorkflowsApi = Api.make("workflows").add(workflows)
