import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Feature from "#core/daemon/Feature.ts"
import { SipSettings, sipSettings } from "../directory/Exports.ts"
import { CustomersApi } from "./Api.ts"
import { customers as handlers } from "./Handlers.ts"
import { ImportCustomers, maxFile } from "./Imports.ts"
import { importWorker } from "./ImportWorker.ts"
import { customers as tables } from "./migrations/0002_customers.ts"
import { told } from "./migrations/0007_told.ts"

/** Feature: customers, their telephone numbers, and imports of CSV files. */
export const customers = Feature.make({
  settings: sipSettings,
  migrations: [tables, told],
  queues: [ImportCustomers],
  routes: [{ prefix: "/api/v1/crm/customers/imports", authenticated: true, maxBody: maxFile }],
  api: CustomersApi,
  layer: Layer.merge(
    HttpApiBuilder.layer(CustomersApi).pipe(Layer.provide(handlers)),
    Layer.effectDiscard(Effect.flatMap(SipSettings, ({ country }) => importWorker(country)))
  ).pipe(Layer.provide(SipSettings.layer))
})
