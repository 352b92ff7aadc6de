/** What the comm endpoints answer. */
import { Schema } from "effect"
import { CommHealthResponse } from "../channels/Exports.ts"
import { RunState } from "./ledger/Ledger.ts"
import { TargetState } from "./attempt/RetryPlan.ts"

export const DispatchResponse = Schema.Struct({
  run_id: Schema.String,
  state: RunState,
  /** In the order of the request, each followed by its fallbacks. */
  targets: Schema.Array(
    Schema.Struct({
      /** The place in this list of the target that this one stands in for; null for a target of its own. */
      fallback_of: Schema.NullOr(Schema.Int),
      channel: Schema.String,
      target: Schema.String,
      state: TargetState,
      /** Why it stands as it stands; of a channel that is not served, already now why it will fail. */
      reason: Schema.NullOr(Schema.String)
    })
  ),
  links: Schema.Struct({ run: Schema.String, acknowledge: Schema.String })
}).annotate({ identifier: "DispatchResponse" })

export const HeartbeatResponse = Schema.Struct({
  sent: Schema.Boolean,
  /** Of the message, when it was sent. */
  message_id: Schema.optionalKey(Schema.Int),
  /** Why it was not sent. */
  reason: Schema.optionalKey(Schema.String),
  health: CommHealthResponse
}).annotate({ identifier: "Heartbeat" })
