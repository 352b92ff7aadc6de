import { HttpApiError } from "effect/http-api"
import { codeField, declaration } from "#core/http/Problem.ts"

/** 422: no workflow begins with this event type. */
export class UnknownEventType extends HttpApiError.Problem<UnknownEventType>()(
  "UnknownEventType",
  declaration("unknown_event_type", 422, "No workflow begins with this event type"),
  codeField("unknown_event_type")
) {}

/** 409: the run was begun by an event and sends nothing that could be stopped. */
export class NotAnAlarm extends HttpApiError.Problem<NotAnAlarm>()(
  "NotAnAlarm",
  declaration("not_an_alarm", 409, "This run is no alarm"),
  codeField("not_an_alarm")
) {}
