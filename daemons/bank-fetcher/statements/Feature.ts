import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Feature from "#core/daemon/Feature.ts"
import { Supervisor } from "#core/supervision/Supervisor.ts"
import { ParseWanted, ReconcileWanted } from "../bank-store/BankJobs.ts"
import { StatementsApi } from "./Api.ts"
import { statements as statementHandlers, transactions } from "./Handlers.ts"
import { statements as tables } from "./migrations/0002_statements.ts"
import { parseWorker } from "./ParseWorker.ts"
import { maxImport } from "./RawFiles.ts"
import * as ReadingThread from "./reading/ReadingThread.ts"
import { upkeep } from "./Upkeep.ts"

/** Files from the bank, and the statements and transactions in them. */
export const statements = Feature.make({
  migrations: [tables],
  queues: [ParseWanted, ReconcileWanted],
  routes: [{ prefix: "/api/v1/crm/ebics/statements/import", authenticated: true, maxBody: maxImport }],
  api: StatementsApi,
  layer: Layer.merge(
    HttpApiBuilder.layer(StatementsApi).pipe(Layer.provide([statementHandlers, transactions])),
    Layer.effectDiscard(Effect.andThen(parseWorker, Supervisor.actor(upkeep))).pipe(Layer.provide(ReadingThread.layer))
  )
})
