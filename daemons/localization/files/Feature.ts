import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Feature from "#core/daemon/Feature.ts"
import * as TextProjection from "../text-memory/TextProjection.ts"
import { FilesApi } from "./Api.ts"
import { maxFile } from "./Fields.ts"
import { files as handlers } from "./Handlers.ts"

/** Translations as CSV and XLIFF files. */
export const files = Feature.make({
  routes: [{ prefix: "/api/v1/i18n/admin/files", authenticated: true, maxBody: maxFile }],
  api: FilesApi,
  layer: HttpApiBuilder.layer(FilesApi).pipe(Layer.provide(Layer.provide(handlers, TextProjection.layer)))
})
