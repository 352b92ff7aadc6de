/** Answers of the comm endpoints. */
import { Schema } from "effect"
import { CallStart } from "./CallStart.ts"
import { CommHealthResponse } from "../channels/Exports.ts"
import { RunState, TargetState } from "../runs/Exports.ts"

export const DispatchResponse = Schema.Struct({
  run_id: Schema.String,
  state: RunState,
  /** In the order of the request. Each target is followed by its fallbacks. */
  targets: Schema.Array(
    Schema.Struct({
      /** Index in this list of the target that this fallback belongs to; null for a target that is no fallback. */
      fallback_of: Schema.NullOr(Schema.Int),
      channel: Schema.String,
      target: Schema.String,
      state: TargetState,
      /** Reason of the state. For an unsupported channel: the reason why the target will fail. */
      reason: Schema.NullOr(Schema.String)
    })
  ),
  links: Schema.Struct({ run: Schema.String, acknowledge: Schema.String })
}).annotate({ identifier: "DispatchResponse" })

export const CallResponse = Schema.Struct({ ...DispatchResponse.fields, result: CallStart }).annotate({
  identifier: "CallResponse"
})

export const HeartbeatResponse = Schema.Struct({
  sent: Schema.Boolean,
  /** Message id; absent when nothing was sent. */
  message_id: Schema.optionalKey(Schema.Int),
  /** Reason why nothing was sent. */
  reason: Schema.optionalKey(Schema.String),
  health: CommHealthResponse
}).annotate({ identifier: "Heartbeat" })
