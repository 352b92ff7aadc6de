/** Errors of reading mail. */
import { Schema } from "effect"
import { HttpApiError } from "effect/http-api"
import { codeField, declaration } from "#core/http/Problem.ts"

/** 422: the request sorts the list, and the mail server does not support SORT. */
export class SortUnsupported extends HttpApiError.Problem<SortUnsupported>()(
  "SortUnsupported",
  declaration("sort_unsupported", 422, "The mail server cannot sort"),
  {
    ...codeField("sort_unsupported"),
    errors: Schema.Array(Schema.Struct({ field: Schema.String, message: Schema.String }))
  }
) {}
