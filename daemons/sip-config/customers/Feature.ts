import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { maxFile } from "#core/imports/Imports.ts"
import * as Feature from "#core/daemon/Feature.ts"
import { SipSettings, sipSettings } from "../directory/Exports.ts"
import { CustomersApi } from "./Api.ts"
import { customers as handlers } from "./Handlers.ts"
import { customerImportWorker, ImportCustomers } from "./Imports.ts"
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
    Layer.effectDiscard(Effect.flatMap(SipSettings, ({ country }) => customerImportWorker(country)))
  ).pipe(Layer.provide(SipSettings.layer))
})
