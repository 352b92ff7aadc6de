import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { ProviderOnly, Requires } from "#core/auth/Permissions.ts"
import * as Api from "#core/http/Api.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { maxPage, plainText } from "#core/http/Paging.ts"
import { NotFound } from "#core/http/Problem.ts"
import { NoLog, NotRestartable, SourceUnavailable, TooManyFollowers } from "./Errors.ts"
import { defaultLines, maxLines, maxReason } from "./Limits.ts"
import { healths, states } from "./ServiceKinds.ts"
import { Kind } from "./ServiceName.ts"

const whole = (minimum: number, maximum: number) =>
  Schema.NumberFromString.pipe(Schema.decodeTo(Schema.Int.check(Schema.isBetween({ minimum, maximum }))))

export const State = Schema.Literals(states)
export const HealthState = Schema.Literals(healths)

const summary = {
  /** Name in paths. A container whose name looks like a unit or a daemon has the prefix `container:`. */
  name: Schema.String,
  kind: Kind,
  state: State,
  /** Result of the container's health check, or the verdict of a daemon. `none`: there is no check. */
  health: HealthState,
  /** The source's own words, such as `exited` or `active (running)`. */
  status: Schema.String,
  /** Image of a container, description of a unit, title of a daemon. */
  description: Schema.String,
  started_at: Schema.NullOr(Schema.String),
  /** Restarts by the engine or systemd itself; null when the source does not count them. */
  restarts: Schema.NullOr(Schema.Int),
  /** Whether WATCHDOG_RESTARTABLE lists the service. */
  may_restart: Schema.Boolean,
  /** Whether WATCHDOG_CRITICAL lists the service, so that the watchdog restarts it by itself. */
  critical: Schema.Boolean
}

/** A restart that a person or the watchdog asked for. */
export const RestartView = Schema.Struct({
  restart_id: Schema.Int,
  service: Schema.String,
  kind: Kind,
  state: Schema.Literals(["requested", "running", "succeeded", "failed"]),
  /** `user:12`, `service:3`, `operator`, or `watchdog`. */
  requested_by: Schema.String,
  reason: Schema.NullOr(Schema.String),
  requested_at: Schema.String,
  finished_at: Schema.NullOr(Schema.String),
  /** One line for people, when it failed. */
  problem: Schema.NullOr(Schema.String)
}).annotate({ identifier: "ServiceRestart" })

export const ServiceView = Schema.Struct(summary).annotate({ identifier: "SystemService" })

export const ServiceDetails = Schema.Struct({
  ...summary,
  exit_code: Schema.NullOr(Schema.Int),
  /** The kernel ended it for lack of memory. */
  oom_killed: Schema.Boolean,
  pid: Schema.NullOr(Schema.Int),
  memory_bytes: Schema.NullOr(Schema.Int),
  /** Whether the log can be read. */
  has_log: Schema.Boolean,
  /** Unhealthy components and actors of an own daemon, one line each. */
  problems: Schema.Array(Schema.String),
  /** The watchdog has used up its restarts and waits for a person. */
  gave_up: Schema.Boolean,
  /** Newest first, at most 20. */
  recent_restarts: Schema.Array(RestartView)
}).annotate({ identifier: "SystemServiceDetails" })

export const SourceView = Schema.Struct({
  kind: Kind,
  status: Schema.Literals(["ok", "down", "unconfigured"]),
  detail: Schema.NullOr(Schema.String)
}).annotate({ identifier: "ServiceSource" })

/** One line of a log, without control characters. */
export const LogLine = Schema.Struct({
  /** Null when the source gave no time. */
  at: Schema.NullOr(Schema.String),
  stream: Schema.Literals(["stdout", "stderr", "journal"]),
  /** Level of a journal entry: `error`, `warning`, `info`, `debug`. Null where the source has none. */
  level: Schema.NullOr(Schema.Literals(["error", "warning", "info", "debug"])),
  text: Schema.String,
  /** The line was longer than 8 KiB. */
  cut: Schema.Boolean
}).annotate({ identifier: "ServiceLogLine" })

/** A container name, a unit name, the name of a daemon, or one of these after `container:`, `unit:` or `daemon:`. */
const Name = Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(300))
const params = { name: Name }

export const services = HttpApiGroup.make("systemServices")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: {
        kind: Schema.optionalKey(Kind),
        state: Schema.optionalKey(State),
        /** Part of the name. */
        search: Schema.optionalKey(plainText(100)),
        limit: Schema.optionalKey(whole(1, maxPage)),
        /** `next_before` of the previous page. */
        before: Schema.optionalKey(plainText(300))
      },
      success: Schema.Struct({
        items: Schema.Array(ServiceView),
        /** Name of the last item; null on the last page. */
        next_before: Schema.NullOr(Schema.String),
        /** A source that does not answer contributes no items. */
        sources: Schema.Array(SourceView)
      })
    })
      .annotate(Requires, "system.read")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Containers, systemd units and own daemons, by kind and name",
          description: "Never contains the environment, labels or command lines of containers."
        })
      ),
    HttpApiEndpoint.get("show", "/:name", { params, success: ServiceDetails, error: [NotFound, SourceUnavailable] })
      .annotate(Requires, "system.read")
      .annotateMerge(OpenApi.annotations({ summary: "One service with its recent restarts" })),
    HttpApiEndpoint.post("restart", "/:name/restart", {
      params,
      headers: Idempotency.headers,
      // Null allows a request without a body.
      payload: [Schema.Struct({ reason: Schema.optionalKey(plainText(maxReason)) }), Schema.Null],
      success: RestartView.pipe(HttpApiSchema.status(202)),
      error: [NotFound, NotRestartable]
    })
      .annotate(Requires, "system.manage")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Restart a service",
          description:
            "202: the restart happens after the answer; GET of the service shows its outcome. A restart that is " +
            "already requested is answered again. 409 `not_restartable`: WATCHDOG_RESTARTABLE does not list the " +
            "service."
        })
      ),
    HttpApiEndpoint.get("logs", "/:name/logs", {
      params,
      query: { lines: Schema.optionalKey(whole(1, maxLines)) },
      success: Schema.Struct({
        items: Schema.Array(LogLine),
        /** Earlier lines were left out, because the answer would be too large. */
        truncated: Schema.Boolean
      }),
      error: [NotFound, NoLog, SourceUnavailable]
    })
      .annotate(Requires, "system.read")
      .annotateMerge(
        OpenApi.annotations({
          summary: "The last lines of a service's log, oldest first",
          description: `lines: 1 to ${maxLines}, default ${defaultLines}.`
        })
      ),
    HttpApiEndpoint.get("follow", "/:name/logs/follow", {
      params,
      query: { lines: Schema.optionalKey(whole(0, maxLines)) },
      success: HttpApiSchema.StreamUint8Array({ contentType: "text/event-stream" }),
      error: [NotFound, NoLog, SourceUnavailable, TooManyFollowers]
    })
      .annotate(Requires, "system.read")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Follow a service's log",
          description:
            "Server-sent events: `line` with a ServiceLogLine, and " +
            "`end` with {reason} (`renew`: ask again; `gone`: the log ended; `failed`). A comment every 15 s. " +
            "`lines`: number of " +
            "earlier lines first, default 0."
        })
      )
  )
  .annotate(ProviderOnly, true)
  .middleware(Authentication)
  .prefix("/api/v1/system/services")
  .annotateMerge(
    OpenApi.annotations({
      title: "System services",
      description: "For users of the provider's tenant and platform tokens only."
    })
  )

export const ServicesApi = Api.make("watchdog").add(services)
