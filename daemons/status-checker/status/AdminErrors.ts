/** Refusals that incidents and maintenance share, beyond wrong input and missing permissions. */
import { Schema } from "effect"
import { HttpApiError } from "effect/http-api"
import { codeField, declaration } from "#core/http/Problem.ts"

/** 409: there is one of this id already. */
export class IdTaken extends HttpApiError.Problem<IdTaken>()(
  "IdTaken",
  declaration("id_taken", 409, "This id is taken"),
  codeField("id_taken")
) {}
/** 409: somebody changed it since; `updated_at` is when. */
export class ChangedSince extends HttpApiError.Problem<ChangedSince>()(
  "ChangedSince",
  declaration("changed_since", 409, "Somebody changed this since"),
  { ...codeField("changed_since"), updated_at: Schema.String }
) {}
