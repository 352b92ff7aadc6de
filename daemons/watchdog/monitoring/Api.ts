import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { ProviderOnly, Requires } from "#core/auth/Permissions.ts"
import * as Api from "#core/http/Api.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { Id, page, pageOf, plainText } from "#core/http/Paging.ts"
import { NotFound } from "#core/http/Problem.ts"
import { Definition } from "./CheckDefinition.ts"
import { kinds, origins, statuses } from "./CheckKinds.ts"
import { CheckDisabled, CheckIsBuiltIn, CheckNameTaken, TooManyChecks } from "./Errors.ts"

export const Kind = Schema.Literals(kinds)
export const Status = Schema.Literals(statuses)
export const Origin = Schema.Literals(origins)

/** The value of a check is compared with these. */
export const Thresholds = Schema.Struct({
  /** `above`: values above the thresholds fail. `below`: values below them fail. */
  direction: Schema.Literals(["above", "below"]),
  /** Null: the value does not decide. */
  warning: Schema.NullOr(Schema.Finite),
  critical: Schema.NullOr(Schema.Finite)
})

const fields = {
  id: Schema.Int,
  /** Permanent name, also of its alert: `web1 disk /var`. */
  key: Schema.String,
  kind: Kind,
  origin: Origin,
  /** Machine that the check belongs to; null: it runs once in the whole installation. */
  host: Schema.NullOr(Schema.String),
  /** Cause that its alert shares with others: `host web1`. */
  group: Schema.String,
  enabled: Schema.Boolean,
  status: Status,
  /** Begin of the status. */
  since: Schema.NullOr(Schema.String),
  checked_at: Schema.NullOr(Schema.String),
  duration_ms: Schema.NullOr(Schema.Int),
  /** Value that the thresholds apply to, and its unit; null when the check measures nothing. */
  value: Schema.NullOr(Schema.Finite),
  unit: Schema.NullOr(Schema.String),
  /** Last result in one English line, and in one German line. */
  detail: Schema.String,
  detail_de: Schema.String,
  /** The same as a code with its values; null: not checked yet. `core/probes` and monitoring/words list the codes. */
  result: Schema.NullOr(Schema.Struct({ code: Schema.String, values: Schema.Record(Schema.String, Schema.Json) })),
  /** Further values of the last check by name: `size_bytes`. */
  measurements: Schema.Record(Schema.String, Schema.Finite),
  /** Number of the last checks in a row that differ from the status. */
  streak: Schema.Int,
  /** Whether the check reports an alert. */
  alerting: Schema.Boolean,
  thresholds: Thresholds,
  interval_s: Schema.Int,
  timeout_s: Schema.Int,
  /** Failed checks in a row that open an alert, and good ones that close it. */
  failures: Schema.Int,
  successes: Schema.Int,
  /** What an operator's check does; null for built-in ones. */
  definition: Schema.NullOr(Definition)
}

export const CheckView = Schema.Struct(fields).annotate({ identifier: "MonitoringCheck" })

export const HistoryPoint = Schema.Struct({
  at: Schema.String,
  /** The worst one of the time. */
  status: Status,
  /** Mean of the time. */
  value: Schema.NullOr(Schema.Finite),
  min: Schema.NullOr(Schema.Finite),
  max: Schema.NullOr(Schema.Finite)
}).annotate({ identifier: "MonitoringPoint" })

export const CheckWithHistory = Schema.Struct({
  ...fields,
  /** Length of the time of one point; 0: each point is one check. */
  resolution_s: Schema.Int,
  /** Oldest first. */
  history: Schema.Array(HistoryPoint)
}).annotate({ identifier: "MonitoringCheckWithHistory" })

/** Longest name of an operator's check. Unit: characters. Reason: it is part of the alert's key, at most 200. */
const maxName = 100

export const CheckName = plainText(maxName)
const Interval = Schema.Int.check(Schema.isBetween({ minimum: 10, maximum: 86_400 }))
const Timeout = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 120 }))
const InARow = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 }))

/** Null: the default. */
const adjustments = {
  interval_s: Schema.optionalKey(Schema.NullOr(Interval)),
  timeout_s: Schema.optionalKey(Schema.NullOr(Timeout)),
  warning: Schema.optionalKey(Schema.NullOr(Schema.Finite)),
  critical: Schema.optionalKey(Schema.NullOr(Schema.Finite)),
  failures: Schema.optionalKey(Schema.NullOr(InARow)),
  successes: Schema.optionalKey(Schema.NullOr(InARow))
}

export const NewCheck = Schema.Struct({
  name: CheckName,
  definition: Definition,
  /** Cause that its alert shares with others. Default: the host of the definition. */
  group: Schema.optionalKey(CheckName),
  /** Machine that runs the check. Default: any one of the installation. */
  host: Schema.optionalKey(Schema.NullOr(CheckName)),
  ...adjustments
})
export type NewCheck = typeof NewCheck.Type

export const CheckChange = Schema.Struct({
  enabled: Schema.optionalKey(Schema.Boolean),
  ...adjustments,
  /** Only of an operator's check. */
  definition: Schema.optionalKey(Definition),
  group: Schema.optionalKey(CheckName)
})
export type CheckChange = typeof CheckChange.Type

/** Longest history. Unit: hours. Reason: hourly values are kept for 90 days. */
export const maxHours = 90 * 24

const hours = Schema.NumberFromString.pipe(
  Schema.decodeTo(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: maxHours })))
)

const params = { id: Id }
const manage = "system.manage"

/** Checks of machines and services. */
export const checks = HttpApiGroup.make("monitoringChecks")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: {
        kind: Schema.optionalKey(Kind),
        status: Schema.optionalKey(Status),
        origin: Schema.optionalKey(Origin),
        host: Schema.optionalKey(CheckName),
        /** Only checks that report an alert, or only the others. */
        alerting: Schema.optionalKey(Schema.Literals(["true", "false"])),
        /** Part of the key. */
        q: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(100))),
        ...page()
      },
      success: pageOf(CheckView)
    })
      .annotate(Requires, "system.read")
      .annotateMerge(OpenApi.annotations({ summary: "Checks with their last results, newest first" })),
    HttpApiEndpoint.get("show", "/:id", {
      params,
      query: { hours: Schema.optionalKey(hours) },
      success: CheckWithHistory,
      error: NotFound
    })
      .annotate(Requires, "system.read")
      .annotateMerge(
        OpenApi.annotations({
          summary: "One check with its history",
          description:
            "`hours`: length of the history, 24 by default. Up to 48 hours each point is one check, else one hour."
        })
      ),
    HttpApiEndpoint.post("add", "/", {
      headers: Idempotency.headers,
      payload: NewCheck,
      success: CheckView.pipe(HttpApiSchema.status(201)),
      error: [CheckNameTaken, TooManyChecks]
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Add a check",
          description:
            "An HTTP, TCP or certificate check, or a program of the command folder. Addresses may be private: the " +
            "checks are the provider's own."
        })
      ),
    HttpApiEndpoint.put("change", "/:id", {
      params,
      payload: CheckChange,
      success: CheckView,
      error: [NotFound, CheckIsBuiltIn]
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Change thresholds, times or the definition of a check, or disable it",
          description:
            "Absent fields stay as they are; null restores the default. Disabling closes the alert. `definition` and " +
            "`group` belong to operators' checks: 409 `check_is_built_in` for others."
        })
      ),
    HttpApiEndpoint.delete("remove", "/:id", {
      params,
      success: HttpApiSchema.NoContent,
      error: [NotFound, CheckIsBuiltIn]
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Remove an operator's check",
          description: "Its alert is closed, and its history is deleted."
        })
      ),
    HttpApiEndpoint.post("run", "/:id/run", {
      params,
      success: CheckView.pipe(HttpApiSchema.status(202)),
      error: [NotFound, CheckDisabled]
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Run a check now",
          description: "It runs in the background; a later `checked_at` shows that it has run."
        })
      )
  )
  .middleware(Authentication)
  .annotate(ProviderOnly, true)
  .prefix("/api/v1/monitoring/checks")
  .annotateMerge(
    OpenApi.annotations({ title: "Monitoring", description: "Only for the provider's tenant and for platform tokens." })
  )

export const MonitoringApi = Api.make("watchdog").add(checks)
