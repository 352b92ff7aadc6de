/** Problems of the services API. */
import { Schema } from "effect"
import { HttpApiError } from "effect/http-api"
import { codeField, declaration } from "#core/http/Problem.ts"

/** 409: the service is not in the setting that lists what may be restarted. */
export class NotRestartable extends HttpApiError.Problem<NotRestartable>()(
  "NotRestartable",
  declaration("not_restartable", 409, "This service may not be restarted"),
  { ...codeField("not_restartable"), settings: Schema.Array(Schema.String) }
) {}

/** 503: the container engine, systemd or the root helper does not answer. */
export class SourceUnavailable extends HttpApiError.Problem<SourceUnavailable>()(
  "SourceUnavailable",
  declaration("source_unavailable", 503, "The source of this service does not answer"),
  { ...codeField("source_unavailable"), source: Schema.Literals(["container", "unit", "daemon"]) }
) {}

/** 409: the source has no log that this daemon can read. */
export class NoLog extends HttpApiError.Problem<NoLog>()(
  "NoLog",
  declaration("no_log", 409, "The log of this service cannot be read"),
  codeField("no_log")
) {}

/** 429: as many logs are followed as the daemon admits. */
export class TooManyFollowers extends HttpApiError.Problem<TooManyFollowers>()(
  "TooManyFollowers",
  declaration("too_many_followers", 429, "Too many logs are followed at once"),
  codeField("too_many_followers")
) {}
