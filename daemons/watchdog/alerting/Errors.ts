/** Refusals of alerting. */
import { HttpApiError } from "effect/http-api"
import { codeField, declaration, NotFound } from "#core/http/Problem.ts"

/** 409: the alert is over. */
export class AlertClosedAlready extends HttpApiError.Problem<AlertClosedAlready>()(
  "AlertClosedAlready",
  declaration("alert_closed", 409, "This alert is closed"),
  codeField("alert_closed")
) {}

/** 409: the silence is over. */
export class SilenceOver extends HttpApiError.Problem<SilenceOver>()(
  "SilenceOver",
  declaration("silence_over", 409, "This silence is over"),
  codeField("silence_over")
) {}

/** 409: too many silences are planned or active. */
export class TooManySilences extends HttpApiError.Problem<TooManySilences>()(
  "TooManySilences",
  declaration("too_many_silences", 409, "Too many silences"),
  codeField("too_many_silences")
) {}

export const noSuchAlert = new NotFound({ detail: "There is no such alert." })
export const noSuchMessage = new NotFound({ detail: "There is no such message." })
export const noSuchSilence = new NotFound({ detail: "There is no such silence." })
export const noSuchHeartbeat = new NotFound({ detail: "No heartbeat of this name is expected." })
