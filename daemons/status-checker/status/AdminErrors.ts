/** Refusals that incidents and maintenance share, beyond wrong input and missing permissions. */
import { Schema } from "effect"
import { HttpApiError } from "effect/http-api"
import { codeField, declaration } from "#core/http/Problem.ts"

/** 409: the id is taken. */
export class IdTaken extends HttpApiError.Problem<IdTaken>()(
  "IdTaken",
  declaration("id_taken", 409, "This id is taken"),
  codeField("id_taken")
) {}
/** 409: the entity has changed since the caller read it; `updated_at` is the time of that change. */
export class ChangedSince extends HttpApiError.Problem<ChangedSince>()(
  "ChangedSince",
  declaration("changed_since", 409, "Somebody has changed this in the meantime"),
  { ...codeField("changed_since"), updated_at: Schema.String }
) {}
