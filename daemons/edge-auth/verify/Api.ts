import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as Api from "#core/http/Api.ts"

/** The question of a reverse proxy. */
const verify = HttpApiGroup.make("verify").add(
  HttpApiEndpoint.get("verify", "/verify", {
    query: { mode: Schema.optionalKey(Schema.Literal("status")) },
    success: HttpApiSchema.Empty(200)
  }).annotateMerge(
    OpenApi.annotations({
      summary: "Whether a request may pass",
      description:
        "For reverse proxies: asked with the original host and path (X-Forwarded-Host and X-Forwarded-Uri, or X-Original-URL, or X-Original-URI; without any: 400). 200 with " +
        "X-Auth-User, X-Auth-Name, X-Auth-Role (empty where nobody has to be signed in); 302 to the login page; 403 for a role that is missing; 503 while it cannot be " +
        "told. nginx: `?mode=status` answers 401 with X-Auth-Redirect in place of 302. What is no printable ASCII in a name is percent-encoded."
    })
  )
)

export const VerifyApi = Api.make("edge-auth").add(verify)
