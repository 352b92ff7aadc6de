/**
 * How the call of a request started, for its answer. The call itself continues whatever the answer says: the ledger
 * decides, this only reads it.
 */
import { Duration, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { TargetState } from "../runs/Exports.ts"

export const CallStart = Schema.Struct({
  /**
   * `dialled`: the switch has the call. `waiting`: other calls are under way, or the switch is away; the call follows.
   * `failed`: there will be no call.
   */
  state: Schema.Literals(["dialled", "waiting", "failed"]),
  /** Why the call waits or failed; null for one that was dialled. */
  reason: Schema.NullOr(Schema.String)
}).annotate({ identifier: "CallStart" })
export type CallStart = typeof CallStart.Type

/** The first target of a run, as far as the answer depends on it. */
export interface Started {
  readonly state: typeof TargetState.Type
  /** Attempts begun. */
  readonly begun: number
  readonly reason: string | null
}

const waits: CallStart = { state: "waiting", reason: "other calls are under way" }

/** The answer, or undefined while it is open. Pure. */
export const judge = ({ begun, reason, state }: Started): CallStart | undefined => {
  switch (state) {
    case "attempting":
    case "delivered":
    case "uncertain":
      return { state: "dialled", reason: null }
    case "failed":
    case "suppressed":
      return { state: "failed", reason }
    case "pending":
      return begun > 0 || reason !== null ? { state: "waiting", reason } : undefined
  }
}

/** Longest wait for the answer. Unit: seconds. Reason: a person or program waits for it. */
const patience = Duration.seconds(10)

/** Interval of reads. Unit: milliseconds. */
const interval = 100

/** A call that the switch refuses, or that has no switch, fails within this time after it began. Unit: milliseconds. */
const refusalTime = 300

const look = (runId: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql<Started>`select state, (record->>'begun')::int as begun, record->>'reason' as reason
        from comm_dispatcher.target where run_id = ${runId}::uuid and position = 0`,
      ([row]) => (row === undefined ? undefined : judge(row))
    )
  )

/** Waits until the call of this run is dialled or fails. */
export const callStart = Effect.fnUntraced(function* (runId: string) {
  const decided = Effect.gen(function* () {
    while (true) {
      const found = yield* look(runId)
      if (found !== undefined) return found
      yield* Effect.sleep(interval)
    }
  })
  const first = yield* Effect.timeoutOption(decided, patience)
  if (first._tag === "None") return waits
  if (first.value.state !== "dialled") return first.value
  yield* Effect.sleep(refusalTime)
  return (yield* look(runId)) ?? first.value
})
