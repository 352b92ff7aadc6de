import { Schema } from "effect"
import { HttpApiError } from "effect/http-api"
import { codeField, declaration } from "#core/http/Problem.ts"

/** 422: no workflow begins with this event type. */
export class UnknownEventType extends HttpApiError.Problem<UnknownEventType>()(
  "UnknownEventType",
  declaration("unknown_event_type", 422, "No workflow begins with this event type"),
  codeField("unknown_event_type")
) {}

/** 409: what was asked for needs a setting that this installation does not have; `variable` names it. */
export class NotConfigured extends HttpApiError.Problem<NotConfigured>()(
  "NotConfigured",
  declaration("not_configured", 409, "A setting is missing for this"),
  { ...codeField("not_configured"), variable: Schema.String }
) {}
