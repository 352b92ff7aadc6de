import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Feature from "#core/daemon/Feature.ts"
import { Greeting } from "#core/daemon/Greeting.ts"
import { Health } from "#core/daemon/Health.ts"
import { Lane } from "#core/lane/Lane.ts"
import { Supervisor } from "#core/supervision/Supervisor.ts"
import { PublicationApi } from "./Api.ts"
import { formats, shown, statuspage } from "./Handlers.ts"
import { lane } from "./Lane.ts"
import { statusPages } from "./pages/Handlers.ts"
import { Publication, publication as current } from "./Publication.ts"
import { publicationSettings } from "./Settings.ts"

const register = Effect.gen(function* () {
  const { actor, health, shelf } = yield* Publication
  yield* Supervisor.actor(actor)
  yield* Health.component("publication", Effect.sync(health))
  yield* Lane.handleAll(lane(shelf))
  yield* Greeting.add(({ base }) => Effect.succeed([{ kind: "status page", text: `${base}/` }]))
})

/** The status page, its feed, badges and interfaces for programs, and the page as files. */
export const publication = Feature.make({
  settings: publicationSettings,
  // The console lets people choose components of a maintenance window.
  routes: [
    { prefix: "/" },
    { prefix: "/api/v1/components", atGateway: true },
    { prefix: "/api/v1/response-times", atGateway: true }
  ],
  api: PublicationApi,
  layer: Layer.merge(
    HttpApiBuilder.layer(PublicationApi).pipe(Layer.provide([shown, formats, statuspage, statusPages])),
    Layer.effectDiscard(register)
  ).pipe(Layer.provide(current))
})
