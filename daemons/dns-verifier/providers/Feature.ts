import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Feature from "#core/daemon/Feature.ts"
import { PlanWanted } from "../domain-store/PlanRequests.ts"
import { adapters } from "./Adapters.ts"
import { ProvidersApi } from "./Api.ts"
import * as Credentials from "./Credentials.ts"
import { providers as handlers } from "./Handlers.ts"
import { providerSettings } from "./Settings.ts"

/** Customers' accounts at DNS providers, and the adapters that read and write zones there. */
export const providers = Feature.make({
  settings: providerSettings,
  queues: [PlanWanted],
  sealed: [Credentials.sealedCredentials],
  api: ProvidersApi,
  layer: HttpApiBuilder.layer(ProvidersApi).pipe(Layer.provide(handlers), Layer.provide([adapters, Credentials.layer]))
})
