import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Unavailable } from "#core/http/Problem.ts"

/**
 * Unit: UTF-16 units. Reason: what does not fit a page's form was not typed there; each field has its own bound, told
 * on the page.
 */
const typed = Schema.optionalKey(Schema.String.check(Schema.isMaxLength(4_096)))

const form = <F extends Schema.Struct.Fields>(fields: F) =>
  Schema.Struct({ form_token: typed, ...fields }).pipe(HttpApiSchema.asFormUrlEncoded())

const query = {
  /** Where to go on to; not followed unless the session reaches it. */
  rd: typed,
  lang: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(35)))
}

const html = Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/html" }))

/** What a proxy asks, and the pages before somebody is signed in. */
export const door = HttpApiGroup.make("door").add(
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
  ),
  HttpApiEndpoint.get("login", "/login", { query, success: html, error: Unavailable }).annotateMerge(
    OpenApi.annotations({ summary: "The login page" })
  ),
  HttpApiEndpoint.post("signIn", "/login", {
    query,
    payload: form({ email: typed, password: typed, half: typed, code: typed }),
    success: html,
    error: Unavailable
  }).annotateMerge(
    OpenApi.annotations({
      summary: "Sign in",
      description:
        "`email` and `password`, or `half` (from the page that asks for a code) and `code`. 303 to where somebody wanted, with the session's cookie; 200 with the page " +
        "that asks for the code of a second factor. 401 for whatever is not right, always alike; 429 after too many failed tries of one address, or codes of one account."
    })
  ),
  HttpApiEndpoint.get("register", "/register", { query, success: html }).annotateMerge(
    OpenApi.annotations({ summary: "The registration page" })
  ),
  HttpApiEndpoint.post("signUp", "/register", {
    query,
    payload: form({ email: typed, name: typed, password: typed }),
    success: html,
    error: Unavailable
  }).annotateMerge(
    OpenApi.annotations({
      summary: "Register",
      description:
        "An admin has to admit who registers, but for the first (AUTH_FIRST_USER_ADMIN). Whether an address has an account already is not told."
    })
  ),
  HttpApiEndpoint.get("logout", "/logout", { query, success: html, error: Unavailable }).annotateMerge(
    OpenApi.annotations({
      summary: "Sign out",
      description: "Ends the session, with those handed over from it, and takes its cookie away."
    })
  ),
  HttpApiEndpoint.get("handoff", "/handoff", {
    query: { code: typed },
    success: html,
    error: Unavailable
  }).annotateMerge(
    OpenApi.annotations({
      summary: "Take over a sign-in at another root domain",
      description:
        "Reached through the proxy of that host, at SIGNALBOX_EDGE_AUTH_HANDOFF_PATH. 303 to what was wanted there, with a cookie of that host alone; 403 for a code that " +
        "is not good, or no longer, or not for this host."
    })
  )
)
