import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Feature from "#core/daemon/Feature.ts"
import { SamplesApi } from "./Api.ts"
import { samples as handlers } from "./Handlers.ts"
import { samples as tables } from "./migrations/0011_samples.ts"
import { maxUpload } from "./UploadLimits.ts"

/** Recordings of people who speak a wake word, for training. */
export const samples = Feature.make({
  migrations: [tables],
  routes: [{ prefix: "/api/v1/wakeword/samples", authenticated: true, maxBody: maxUpload }],
  api: SamplesApi,
  layer: HttpApiBuilder.layer(SamplesApi).pipe(Layer.provide(handlers))
})
