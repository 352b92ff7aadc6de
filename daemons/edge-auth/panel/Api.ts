import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import * as Api from "#core/http/Api.ts"
import { Unavailable } from "#core/http/Problem.ts"
import { form, html, lang, typed } from "../edge/pages/Forms.ts"
import { CoverageReport } from "../routes/Exports.ts"

const query = { lang }

/** The pages of signed-in people. */
const panel = HttpApiGroup.make("panel").add(
  HttpApiEndpoint.get("account", "/account", { query, success: html, error: Unavailable }).annotateMerge(
    OpenApi.annotations({ summary: "One's own sessions" })
  ),
  HttpApiEndpoint.post("changeAccount", "/account", {
    query,
    payload: form({ act: typed, id: typed, password: typed, code: typed, proof: typed }),
    success: html,
    error: Unavailable
  }).annotateMerge(
    OpenApi.annotations({
      summary: "End sessions of one's own, or change the second factor",
      description:
        "`act`: end_session with `id`, or end_all; begin_factor with the `password` (200 with the secret and its picture), confirm_factor with its first `code` (200 with " +
        "recovery codes), end_factor with `proof`, a code or the password. 422 with the page for what is not right, which counts as a failed sign-in; 429 after too many."
    })
  ),
  HttpApiEndpoint.get("admin", "/admin", { query, success: html, error: Unavailable }).annotateMerge(
    OpenApi.annotations({
      summary: "The admin panel",
      description:
        "Users, protected places, what is really protected, sessions. 302 to the login page for nobody, 403 for users."
    })
  ),
  HttpApiEndpoint.post("changeAdmin", "/admin", {
    query,
    payload: form({ act: typed, id: typed, host: typed, path: typed, role: typed, description: typed }),
    success: html,
    error: Unavailable
  }).annotateMerge(
    OpenApi.annotations({
      summary: "Act as an admin",
      description:
        "`act`: approve, block, make_admin, make_user, reset_factor, end_all (a user's `id`); end_session (a session's); add_route (host, path, role, description); " +
        "turn_on, turn_off, remove_route (a route's). 303 back to the panel; 409 with the panel and the reason where it is not possible."
    })
  ),
  HttpApiEndpoint.get("coverage", "/admin/coverage.json", {
    query,
    success: CoverageReport,
    error: Unavailable
  }).annotateMerge(
    OpenApi.annotations({
      summary: "What is really protected",
      description:
        "By host: whether a proxy asks about it and whether a route is enabled, from what was asked and from the proxy's files (SIGNALBOX_EDGE_PROXY_CONFIG). For admins."
    })
  )
)

export const PanelApi = Api.make("edge-auth").add(panel)
