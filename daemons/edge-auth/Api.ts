import { OpenApi } from "effect/http-api"
import * as Api from "#core/http/Api.ts"
import { door } from "./api/Door.ts"
import { panel } from "./api/Panel.ts"

/** Everything edge-auth answers. */
export const EdgeAuthApi = Api.make("edge-auth")
  .add(door)
  .add(panel)
  .annotateMerge(
    OpenApi.annotations({
      title: "edge-auth",
      description: "The door before other services: who may pass, and where people sign in"
    })
  )
