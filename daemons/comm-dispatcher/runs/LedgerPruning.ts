/** Removes finished runs from the ledger once they are older than `SIGNALBOX_LEDGER_DAYS`. */
import { Duration, Effect } from "effect"
import { Actor, Supervisor } from "#core/supervision/Supervisor.ts"
import * as Ledger from "./Ledger.ts"

/** Interval of the pruning runs. */
const interval = Duration.hours(1)

export const ledgerPruning = (days: number) =>
  Supervisor.actor({
    name: "ledger pruning",
    placed: true,
    stallAfter: Duration.times(interval, 3),
    run: Effect.gen(function* () {
      const actor = yield* Actor
      while (true) {
        yield* actor.progress
        yield* Ledger.prune(days)
        yield* Effect.sleep(interval)
      }
    })
  })
