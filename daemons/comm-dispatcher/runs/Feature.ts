import { Effect, Layer } from "effect"
import { settings } from "#core/config/Environment.ts"
import * as Settings from "#core/config/Settings.ts"
import * as Feature from "#core/daemon/Feature.ts"
import { ledgerPruning } from "./LedgerPruning.ts"
import { ledger } from "./migrations/0001_ledger.ts"
import { privateRanges } from "./migrations/0007_private_ranges.ts"
import { uncertainRuns } from "./migrations/0008_uncertain_runs.ts"
import { userRequests } from "./migrations/0009_user_requests.ts"

const runSettings = {
  ledgerDays: Settings.integer("SIGNALBOX_LEDGER_DAYS", {
    doc: "How long finished runs stay in the ledger",
    unit: "days",
    default: 400,
    min: 1,
    max: 36_500
  })
}

export const runsFeature = Feature.make({
  settings: runSettings,
  migrations: [ledger, privateRanges, uncertainRuns, userRequests],
  layer: Layer.effectDiscard(Effect.flatMap(settings(runSettings), ({ ledgerDays }) => ledgerPruning(ledgerDays)))
})
