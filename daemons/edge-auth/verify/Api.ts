import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as Api from "#core/http/Api.ts"

/** Endpoint that reverse proxies ask. */
const verify = HttpApiGroup.make("verify").add(
  HttpApiEndpoint.get("verify", "/verify", {
    query: { mode: Schema.optionalKey(Schema.Literal("status")) },
    success: HttpApiSchema.Empty(200)
  }).annotateMerge(
    OpenApi.annotations({
      summary: "Whether a request may pass",
      description:
        "For reverse proxies. They send the original host and path in X-Forwarded-Host and X-Forwarded-Uri, or in " +
        "X-Original-URL, or in X-Original-URI; without any of them: 400. 200 with X-Auth-User, X-Auth-Name, " +
        "X-Auth-Name-Encoded, X-Auth-Role (empty where no sign-in is needed); 302 to the login page; 403 for a " +
        "missing role; 503 while the database is away. For nginx `?mode=status` answers 401 with X-Auth-Redirect in " +
        "place of 302. X-Auth-Name is plain when it is printable ASCII, otherwise percent-encoded; " +
        "X-Auth-Name-Encoded always has the form of RFC 8187."
    })
  )
)

export const VerifyApi = Api.make("edge-auth").add(verify)
