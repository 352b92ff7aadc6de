/** What is refused about incidents and maintenance, beyond wrong input and missing permissions. */
import { Schema } from "effect"
import { HttpApiError } from "effect/http-api"
import { codeField, declaration, NotFound } from "#core/http/Problem.ts"

/** 409: there is one of this id already. */
export class IdTaken extends HttpApiError.Problem<IdTaken>()(
  "IdTaken",
  declaration("id_taken", 409, "This id is taken"),
  codeField("id_taken")
) {}

/** 409: it is a draft, which nobody is told of: it is edited, published or deleted. */
export class NotPublished extends HttpApiError.Problem<NotPublished>()(
  "NotPublished",
  declaration("not_published", 409, "This incident is a draft"),
  codeField("not_published")
) {}

/** 409: it was published, and what people were told stays. */
export class AlreadyPublished extends HttpApiError.Problem<AlreadyPublished>()(
  "AlreadyPublished",
  declaration("already_published", 409, "This incident is published"),
  codeField("already_published")
) {}

/** 409: it is over already. */
export class AlreadyResolved extends HttpApiError.Problem<AlreadyResolved>()(
  "AlreadyResolved",
  declaration("already_resolved", 409, "This incident is resolved"),
  codeField("already_resolved")
) {}

/** 409: somebody changed it since; `updated_at` is when. */
export class ChangedSince extends HttpApiError.Problem<ChangedSince>()(
  "ChangedSince",
  declaration("changed_since", 409, "Somebody changed this since"),
  { ...codeField("changed_since"), updated_at: Schema.String }
) {}

/** 409: the maintenance is over, or was cancelled. */
export class MaintenanceOver extends HttpApiError.Problem<MaintenanceOver>()(
  "MaintenanceOver",
  declaration("maintenance_over", 409, "This maintenance is over"),
  codeField("maintenance_over")
) {}

export const noSuchIncident = new NotFound({ detail: "There is no such incident." })
export const noSuchMaintenance = new NotFound({ detail: "There is no such maintenance." })
