/** Refusals of changes of incidents. */
import { HttpApiError } from "effect/http-api"
import { codeField, declaration, NotFound } from "#core/http/Problem.ts"

/** 409: the incident is a draft, which is edited, published or deleted. */
export class NotPublished extends HttpApiError.Problem<NotPublished>()(
  "NotPublished",
  declaration("not_published", 409, "This incident is a draft"),
  codeField("not_published")
) {}
/** 409: the incident is published and cannot be withdrawn. */
export class AlreadyPublished extends HttpApiError.Problem<AlreadyPublished>()(
  "AlreadyPublished",
  declaration("already_published", 409, "This incident is published"),
  codeField("already_published")
) {}
/** 409: the incident is resolved. */
export class AlreadyResolved extends HttpApiError.Problem<AlreadyResolved>()(
  "AlreadyResolved",
  declaration("already_resolved", 409, "This incident is resolved"),
  codeField("already_resolved")
) {}
export const noSuchIncident = new NotFound({ detail: "There is no such incident." })
