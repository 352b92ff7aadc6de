/**
 * Gives tokens back whose set-up has taken too long, because its process died or lost the database, and ends what was
 * issued for it.
 */
import { Duration, Effect } from "effect"
import { transaction } from "#core/sql/Sql.ts"
import { periodic } from "#core/supervision/Periodic.ts"
import { endAbandoned } from "../devices/Exports.ts"
import { Tokens } from "../tokens/Exports.ts"

/** Interval of the sweep. Unit: seconds. Reason: together with the time of a set-up, a link works again in 35 s. */
const sweepEvery = Duration.seconds(5)

export const abandoned = periodic({
  name: "abandoned set-ups",
  every: sweepEvery,
  round: transaction(
    Effect.gen(function* () {
      const late = yield* Tokens.releaseAbandoned
      for (const { device_id: id, ...one } of late) yield* endAbandoned({ id, ...one })
      return `${late.length} given back`
    })
  )
})
