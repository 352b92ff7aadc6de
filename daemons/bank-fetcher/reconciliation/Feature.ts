import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Feature from "#core/daemon/Feature.ts"
import { ReconcileWanted } from "../bank-store/BankJobs.ts"
import { ReconciliationApi } from "./Api.ts"
import { reconciliation as handlers } from "./Handlers.ts"
import { MatchIndexCache } from "./MatchIndexCache.ts"
import { matchWorker } from "./MatchWorker.ts"
import { reconciliation as tables } from "./migrations/0004_reconciliation.ts"

/** Matches transactions with invoices, and the dashboard. */
export const reconciliation = Feature.make({
  migrations: [tables],
  queues: [ReconcileWanted],
  api: ReconciliationApi,
  layer: Layer.merge(
    HttpApiBuilder.layer(ReconciliationApi).pipe(Layer.provide(handlers), Layer.provide(MatchIndexCache.layer)),
    Layer.effectDiscard(matchWorker)
  )
})
