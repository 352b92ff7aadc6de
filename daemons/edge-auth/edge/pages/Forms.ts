/** Schemas of the queries, forms and answers of the pages. */
import { Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"

/**
 * Form field of at most 4,096 UTF-16 units. Each field has a shorter limit of its own, with a message on the page; this
 * one only refuses texts that nobody typed.
 */
export const typed = Schema.optionalKey(Schema.String.check(Schema.isMaxLength(4_096)))

/** Language in the query of a page. */
export const lang = Schema.optionalKey(Schema.String.check(Schema.isMaxLength(35)))

export const form = <F extends Schema.Struct.Fields>(fields: F) =>
  Schema.Struct({ form_token: typed, ...fields }).pipe(HttpApiSchema.asFormUrlEncoded())

export const html = Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/html" }))
