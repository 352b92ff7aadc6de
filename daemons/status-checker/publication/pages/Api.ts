/** Pages beside the status page. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"

/** Unit: UTF-16 units. Reason: longer than any of our links; smaller errors are answered with a page. */
const short = Schema.String.check(Schema.isMaxLength(100))
const lang = { lang: Schema.optionalKey(short) }
const html = Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/html" }))

export const statusPages = HttpApiGroup.make("statusPages").add(
  HttpApiEndpoint.get("incidentPage", "/incidents/:id", {
    params: { id: Schema.String },
    query: lang,
    success: html
  }).annotateMerge(
    OpenApi.annotations({ summary: "One incident as a page", description: "404 as a page when it does not exist." })
  ),
  HttpApiEndpoint.get("history", "/history", {
    query: { ...lang, page: Schema.optionalKey(short) },
    success: html
  }).annotateMerge(
    OpenApi.annotations({
      summary: "All incidents as pages",
      description:
        "Newest first, 20 per page. An invalid page number shows the first page, one beyond the end the last."
    })
  )
)
