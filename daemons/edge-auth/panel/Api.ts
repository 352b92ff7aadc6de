import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import * as Api from "#core/http/Api.ts"
import { Unavailable } from "#core/http/Problem.ts"
import { form, html, lang, typed } from "../edge/pages/Forms.ts"
import { CoverageReport } from "../routes/Exports.ts"

const query = { lang }

/** Pages of signed-in users. */
const panel = HttpApiGroup.make("panel").add(
  HttpApiEndpoint.get("account", "/account", { query, success: html, error: Unavailable }).annotateMerge(
    OpenApi.annotations({ summary: "The account page" })
  ),
  HttpApiEndpoint.post("changeAccount", "/account", {
    query,
    payload: form({ act: typed, id: typed, password: typed, code: typed, proof: typed }),
    success: html,
    error: Unavailable
  }).annotateMerge(
    OpenApi.annotations({
      summary: "End own sessions, or change the second factor",
      description:
        "`act`: end_session with `id`, or end_all; begin_factor with the `password` (200 with the secret and its " +
        "QR code), confirm_factor with its first `code` (200 with recovery codes), end_factor with `proof`, a code " +
        "or the password. 422 with the page for a wrong password or code, which counts as a failed sign-in; 429 " +
        "after too many."
    })
  ),
  HttpApiEndpoint.get("admin", "/admin", { query, success: html, error: Unavailable }).annotateMerge(
    OpenApi.annotations({
      summary: "The admin panel",
      description:
        "Users, protected routes, the coverage report and sessions. 302 to the login page without a session, 403 for " +
        "users who are not admins."
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
        "`act`: approve, block, make_admin, make_user, reset_factor, end_all (with the `id` of a user); end_session " +
        "(of a session); add_route (host, path, role, description); turn_on, turn_off, remove_route (of a route). " +
        "303 back to the panel; 409 with the panel and the reason when the change is refused."
    })
  ),
  HttpApiEndpoint.get("coverage", "/admin/coverage.json", {
    query,
    success: CoverageReport,
    error: Unavailable
  }).annotateMerge(
    OpenApi.annotations({
      summary: "The coverage report",
      description:
        "For each host whether a proxy asks about it and whether a route is enabled. Based on the requests of the " +
        "proxies and on their files (SIGNALBOX_EDGE_PROXY_CONFIG). For admins."
    })
  )
)

export const PanelApi = Api.make("edge-auth").add(panel)
