/** Removes finished runs from the ledger once they are older than `SIGNALBOX_LEDGER_DAYS`. */
import { Duration, Effect } from "effect"
import { periodic } from "#core/supervision/Periodic.ts"
import { Supervisor } from "#core/supervision/Supervisor.ts"
import * as Ledger from "./Ledger.ts"

/** Interval of the pruning runs. */
const interval = Duration.hours(1)

export const ledgerPruning = (days: number) =>
  Supervisor.actor(
    periodic({
      name: "ledger pruning",
      every: interval,
      round: Effect.map(Ledger.prune(days), (removed) => `removed ${removed} runs`)
    })
  )
