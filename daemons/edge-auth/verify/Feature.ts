import { Effect, Layer } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import * as Feature from "#core/daemon/Feature.ts"
import { Health } from "#core/daemon/Health.ts"
import * as Handlers from "#core/http/Handlers.ts"
import { Lane } from "#core/lane/Lane.ts"
import { Supervisor } from "#core/supervision/Supervisor.ts"
import { Edge } from "../edge/Edge.ts"
import * as EdgeProjection from "../edge/EdgeProjection.ts"
import { edgeSettings } from "../edge/EdgeSettings.ts"
import { VerifyApi } from "./Api.ts"
import * as SeenHosts from "./SeenHosts.ts"
import * as VerifyLane from "./VerifyLane.ts"

/** For the API document only: the lane answers `/verify` before the router. */
const handlers = Handlers.group(VerifyApi, "verify", (handlers) =>
  handlers.handleAll({ verify: () => Effect.succeed(HttpServerResponse.empty({ status: 503 })) })
)

const register = Effect.gen(function* () {
  const { defaultDeny, home } = yield* Edge
  const projection = yield* EdgeProjection.EdgeProjection
  const seenHosts = yield* SeenHosts.SeenHosts
  yield* Supervisor.actor(seenHosts.actor)
  yield* Health.component("picture", Effect.sync(projection.component))
  yield* Lane.handle(VerifyLane.verifyLane, VerifyLane.handler(projection, seenHosts, { base: home.base, defaultDeny }))
})

/** Answers reverse proxies that ask whether a request may pass. */
export const verify = Feature.make({
  settings: edgeSettings,
  // A proxy sends one request of its own for each request of a client, and limits those itself.
  routes: [{ prefix: "/verify", rateLimited: false }],
  api: VerifyApi,
  layer: Layer.merge(
    HttpApiBuilder.layer(VerifyApi).pipe(Layer.provide(handlers)),
    Layer.effectDiscard(register).pipe(Layer.provide([Edge.layer, EdgeProjection.layer, SeenHosts.layer]))
  )
})
