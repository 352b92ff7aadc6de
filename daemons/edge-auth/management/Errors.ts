/** Refusals of the management of edge-auth, beyond invalid input and missing permissions. */
import { HttpApiError } from "effect/http-api"
import { codeField, declaration } from "#core/http/Problem.ts"

/** 409: a user of edge-auth has this address. */
export class EdgeUserExists extends HttpApiError.Problem<EdgeUserExists>()(
  "EdgeUserExists",
  declaration("edge_user_exists", 409, "A user of edge-auth already has this address"),
  codeField("edge_user_exists")
) {}

/** 409: without this user edge-auth would have no administrator. */
export class LastEdgeAdmin extends HttpApiError.Problem<LastEdgeAdmin>()(
  "LastEdgeAdmin",
  declaration("last_edge_admin", 409, "This is the last active administrator of edge-auth"),
  codeField("last_edge_admin")
) {}

/** 409: host and path have a route. */
export class RouteTaken extends HttpApiError.Problem<RouteTaken>()(
  "RouteTaken",
  declaration("route_taken", 409, "Host and path already have a route"),
  codeField("route_taken")
) {}
