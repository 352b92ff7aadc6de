import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { ProviderOnly, Requires } from "#core/auth/Permissions.ts"
import * as Api from "#core/http/Api.ts"
import { boundedList } from "#core/http/BoundedList.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { page, pageOf, plainText } from "#core/http/Paging.ts"
import { NotFound } from "#core/http/Problem.ts"
import { Time } from "#core/http/Time.ts"
import { AlertClosedAlready, SilenceOver, TooManySilences } from "./Errors.ts"
import { closeReasons, deliveryStates, maxName, messageKinds, severities, ways } from "./Words.ts"

export const AlertState = Schema.Literals(["open", "closed"])

export const AlertView = Schema.Struct({
  id: Schema.String,
  /** Number for `before` of lists. */
  seq: Schema.Int,
  key: Schema.String,
  group: Schema.String,
  severity: Schema.Literals(severities),
  state: AlertState,
  /** One line in English, and in German. */
  summary: Schema.String,
  summary_de: Schema.String,
  /** More lines in English, and in German. */
  detail: Schema.NullOr(Schema.String),
  detail_de: Schema.NullOr(Schema.String),
  /** Failures and recoveries alternate often: the incident stays open until it was quiet for a while. */
  flapping: Schema.Boolean,
  /** Number of changes since it opened, counted while it flaps. */
  changes: Schema.Int,
  opened_at: Schema.String,
  closed_at: Schema.NullOr(Schema.String),
  close_reason: Schema.NullOr(Schema.Literals(closeReasons)),
  /** When people were first told; null: not yet, or it is silenced. */
  told_at: Schema.NullOr(Schema.String),
  /** Number of repeated messages. */
  repeats: Schema.Int,
  /** Id of the silence that keeps its messages back now; null: none. */
  silence_id: Schema.NullOr(Schema.String),
  /** Id of the maintenance of the status page that keeps its messages back now; null: none. */
  maintenance_id: Schema.NullOr(Schema.String),
  acknowledged_at: Schema.NullOr(Schema.String),
  /** Who acknowledged: `user:12`, `service:3`, `operator`. */
  acknowledged_by: Schema.NullOr(Schema.String),
  note: Schema.NullOr(Schema.String)
}).annotate({ identifier: "MonitoringAlert" })

export const DeliveryView = Schema.Struct({
  way: Schema.Literals(ways),
  state: Schema.Literals(deliveryStates),
  attempts: Schema.Int,
  sent_at: Schema.NullOr(Schema.String),
  /** Why the last attempt failed. */
  problem: Schema.NullOr(Schema.String)
}).annotate({ identifier: "MonitoringDelivery" })

export const MessageView = Schema.Struct({
  id: Schema.String,
  kind: Schema.Literals(messageKinds),
  group: Schema.String,
  /** Number of alerts that the message is about. */
  alerts: Schema.Int,
  created_at: Schema.String,
  deliveries: Schema.Array(DeliveryView)
}).annotate({ identifier: "MonitoringMessage" })

export const AlertDetail = Schema.Struct({ ...AlertView.fields, messages: Schema.Array(MessageView) }).annotate({
  identifier: "MonitoringAlertDetail"
})

export const SilenceView = Schema.Struct({
  id: Schema.String,
  seq: Schema.Int,
  /** Pattern with `*` for any text; null: any key or group. */
  key_pattern: Schema.NullOr(Schema.String),
  group_pattern: Schema.NullOr(Schema.String),
  reason: Schema.String,
  state: Schema.Literals(["planned", "active", "over"]),
  starts_at: Schema.String,
  ends_at: Schema.String,
  /** Number of open alerts that it matches. */
  alerts: Schema.Int,
  created_by: Schema.String,
  created_at: Schema.String
}).annotate({ identifier: "MonitoringSilence" })

export const HeartbeatView = Schema.Struct({
  name: Schema.String,
  /** `late`: it stayed away for longer than `timeout_s`, and an alert is open. */
  state: Schema.Literals(["alive", "late"]),
  last_at: Schema.String,
  timeout_s: Schema.Int
}).annotate({ identifier: "MonitoringHeartbeat" })

/** Longest silence. Unit: days. Reason: a check that is unwanted for longer is to be removed. */
export const longestSilence = 90

/** Longest reason and note. Unit: UTF-16 units. */
const maxReason = 500

const Pattern = plainText(maxName)

/** At least one pattern, and an end or a duration. */
export const NewSilence = Schema.Struct({
  key_pattern: Schema.optionalKey(Pattern),
  group_pattern: Schema.optionalKey(Pattern),
  reason: plainText(maxReason),
  /** Default: now. */
  starts_at: Schema.optionalKey(Time),
  ends_at: Time
})

export const SilenceEdit = Schema.Struct({
  key_pattern: Schema.optionalKey(Schema.NullOr(Pattern)),
  group_pattern: Schema.optionalKey(Schema.NullOr(Pattern)),
  reason: Schema.optionalKey(plainText(maxReason)),
  starts_at: Schema.optionalKey(Time),
  ends_at: Schema.optionalKey(Time)
})

/** Longest interval of repeated messages. Unit: minutes. Reason: a week; a longer pause is forgotten. */
const longestRepeat = 7 * 24 * 60

/**
 * Maximum number of pauses in a list of repeats. Reason: the last pause holds for all later messages, so few are
 * enough.
 */
const mostRepeats = 10

const Intervals = boundedList(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: longestRepeat })), {
  minimum: 0,
  maximum: mostRepeats
})

const seconds = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

/** What an operator sets for all alerts. */
export const AlertRules = Schema.Struct({
  /** Pauses before repeated messages, in minutes; the last one counts for all later ones. Empty: no repeats. */
  repeat_critical_minutes: Intervals,
  repeat_warning_minutes: Intervals,
  /** Alerts of a group that open within this time are one message. */
  gather_s: seconds(0, 600),
  /** Pause between two messages about a group of which people know already. */
  group_interval_s: seconds(0, 3_600),
  /** Number of changes within the window from which an alert flaps. 0: none does. */
  flap_changes: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100 })),
  flap_window_minutes: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 24 * 60 }))
}).annotate({ identifier: "MonitoringAlertRules" })
export type AlertRules = typeof AlertRules.Type

/** Id in a path; another text answers 404. */
const Uuid = Schema.String.check(
  Schema.isPattern(/^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/)
)
const params = { id: Uuid }

/** Name of a sender of heartbeats: a host name. */
const SenderName = Schema.String.check(Schema.isPattern(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/))

const read = "system.read"
const manage = "system.manage"

export const alertEndpoints = HttpApiGroup.make("monitoringAlerts")
  .add(
    HttpApiEndpoint.get("list", "/alerts", {
      query: {
        ...page(),
        state: Schema.optionalKey(AlertState),
        severity: Schema.optionalKey(Schema.Literals(severities)),
        group: Schema.optionalKey(plainText(maxName))
      },
      success: pageOf(AlertView)
    })
      .annotate(Requires, read)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Alerts, newest first",
          description: "One entry an incident, with its recovery. A closed alert is kept for 400 days."
        })
      ),
    HttpApiEndpoint.get("show", "/alerts/:id", { params, success: AlertDetail, error: NotFound })
      .annotate(Requires, read)
      .annotateMerge(OpenApi.annotations({ summary: "One alert with its messages" })),
    HttpApiEndpoint.post("acknowledge", "/alerts/:id/acknowledge", {
      params,
      payload: Schema.Struct({ note: Schema.optionalKey(plainText(maxReason)) }),
      success: AlertView,
      error: [NotFound, AlertClosedAlready]
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Acknowledge an open alert",
          description: "Ends its repeated messages. The recovery is still told. 409 `alert_closed` when it is over."
        })
      ),
    HttpApiEndpoint.post("test", "/alerts/test", { success: MessageView.pipe(HttpApiSchema.status(202)) })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Send a test message by every configured way",
          description: "The answer lists the ways; GET /alert-messages/{id} shows the results."
        })
      ),
    HttpApiEndpoint.get("message", "/alert-messages/:id", { params, success: MessageView, error: NotFound })
      .annotate(Requires, read)
      .annotateMerge(OpenApi.annotations({ summary: "One message with its deliveries" })),
    HttpApiEndpoint.get("rules", "/alert-rules", { success: AlertRules })
      .annotate(Requires, read)
      .annotateMerge(OpenApi.annotations({ summary: "Rules of repeats, gathering and flapping" })),
    HttpApiEndpoint.put("setRules", "/alert-rules", { payload: AlertRules, success: AlertRules })
      .annotate(Requires, manage)
      .annotateMerge(OpenApi.annotations({ summary: "Change these rules" }))
  )
  .middleware(Authentication)
  .annotate(ProviderOnly, true)
  .prefix("/api/v1/monitoring")
  .annotateMerge(OpenApi.annotations({ title: "Alerts" }))

export const silenceEndpoints = HttpApiGroup.make("monitoringSilences")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: { ...page(), state: Schema.optionalKey(SilenceView.fields.state) },
      success: pageOf(SilenceView)
    })
      .annotate(Requires, read)
      .annotateMerge(OpenApi.annotations({ summary: "Silences, newest first" })),
    HttpApiEndpoint.get("show", "/:id", { params, success: SilenceView, error: NotFound })
      .annotate(Requires, read)
      .annotateMerge(OpenApi.annotations({ summary: "One silence" })),
    HttpApiEndpoint.post("create", "/", {
      headers: Idempotency.headers,
      payload: NewSilence,
      success: SilenceView.pipe(HttpApiSchema.status(201)),
      error: TooManySilences
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Silence alerts for a time",
          description:
            "Alerts that match both patterns are recorded, and nobody is told until the silence ends. An alert that " +
            `is still open then is told. At most ${longestSilence} days.`
        })
      ),
    HttpApiEndpoint.put("edit", "/:id", {
      params,
      payload: SilenceEdit,
      success: SilenceView,
      error: [NotFound, SilenceOver]
    })
      .annotate(Requires, manage)
      .annotateMerge(OpenApi.annotations({ summary: "Change a silence that is not over" })),
    HttpApiEndpoint.delete("end", "/:id", { params, success: HttpApiSchema.NoContent, error: [NotFound, SilenceOver] })
      .annotate(Requires, manage)
      .annotateMerge(OpenApi.annotations({ summary: "End a silence now", description: "It stays in the list." }))
  )
  .middleware(Authentication)
  .annotate(ProviderOnly, true)
  .prefix("/api/v1/monitoring/silences")
  .annotateMerge(OpenApi.annotations({ title: "Silences" }))

export const heartbeatEndpoints = HttpApiGroup.make("monitoringHeartbeats")
  .add(
    HttpApiEndpoint.get("list", "/", { success: Schema.Struct({ items: Schema.Array(HeartbeatView) }) })
      .annotate(Requires, read)
      .annotateMerge(OpenApi.annotations({ summary: "Heartbeats of other hosts that are expected here" })),
    HttpApiEndpoint.post("beat", "/:name", {
      params: { name: SenderName },
      payload: Schema.Struct({ timeout_s: seconds(10, 86_400) }),
      success: HttpApiSchema.NoContent
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Heartbeat of another host",
          description: "An alert opens when no further heartbeat arrives for `timeout_s`, and closes with the next one."
        })
      ),
    HttpApiEndpoint.delete("forget", "/:name", {
      params: { name: SenderName },
      success: HttpApiSchema.NoContent,
      error: NotFound
    })
      .annotate(Requires, manage)
      .annotateMerge(OpenApi.annotations({ summary: "Expect no further heartbeats of a host" }))
  )
  .middleware(Authentication)
  .annotate(ProviderOnly, true)
  .prefix("/api/v1/monitoring/heartbeats")
  .annotateMerge(OpenApi.annotations({ title: "Heartbeats" }))

export const AlertingApi = Api.make("alerting").add(alertEndpoints, silenceEndpoints, heartbeatEndpoints)
