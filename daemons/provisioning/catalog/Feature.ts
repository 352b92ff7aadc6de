import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Feature from "#core/daemon/Feature.ts"
import { CatalogApi } from "./Api.ts"
import { catalog as handlers } from "./Handlers.ts"
import { catalog as tables } from "./migrations/0001_catalog.ts"

/** The services that devices can be set up for, the packages, and the rules by which bookings contain services. */
export const catalog = Feature.make({
  migrations: [tables],
  api: CatalogApi,
  layer: HttpApiBuilder.layer(CatalogApi).pipe(Layer.provide(handlers))
})
