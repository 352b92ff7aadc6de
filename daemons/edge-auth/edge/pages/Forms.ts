/** Schemas of the pages' queries, forms and answers. */
import { Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"

/**
 * A field of a form. Unit: UTF-16 units. Reason: longer text was not typed into a form of ours; each field has its own
 * shorter bound, which the page names.
 */
export const typed = Schema.optionalKey(Schema.String.check(Schema.isMaxLength(4_096)))

/** The language that a page is asked for in its query. */
export const lang = Schema.optionalKey(Schema.String.check(Schema.isMaxLength(35)))

export const form = <F extends Schema.Struct.Fields>(fields: F) =>
  Schema.Struct({ form_token: typed, ...fields }).pipe(HttpApiSchema.asFormUrlEncoded())

export const html = Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/html" }))
