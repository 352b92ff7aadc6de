import { Schema } from "effect"

/** Parts already sent, for the next attempt. */
export const Progress = Schema.Struct({ partsSent: Schema.Int })
export type Progress = typeof Progress.Type

/**
 * `detail`: answer of the other side, for the ledger. `acknowledged`: how a person acknowledged the alarm during the
 * delivery (`key 1 on +49…`).
 */
export const Delivered = Schema.TaggedStruct("Delivered", {
  detail: Schema.String,
  acknowledged: Schema.optionalKey(Schema.String)
})
export type Delivered = typeof Delivered.Type

/**
 * Not delivered; a retry can help.
 * - `retryAfter`: pause that the other side asks for (429, 503). Unit: milliseconds.
 * - `reached`: `no`: nothing of the request left this machine; `perhaps`: it left without an answer, so it may have
 *   taken effect; `yes`: the other side answered and did not carry it out.
 * - `fault: channel`: the channel itself is down (its API, the switch); every other target would fail, too.
 */
export const Retryable = Schema.TaggedStruct("Retryable", {
  reason: Schema.String,
  reached: Schema.Literals(["no", "perhaps", "yes"]),
  retryAfter: Schema.optionalKey(Schema.Finite),
  progress: Schema.optionalKey(Progress),
  fault: Schema.optionalKey(Schema.Literal("channel"))
})
export type Retryable = typeof Retryable.Type

/**
 * Not delivered; the same request would fail again. `fault: channel`: every other target of the channel would be
 * refused, too (a token that is not accepted).
 */
export const Permanent = Schema.TaggedStruct("Permanent", {
  reason: Schema.String,
  progress: Schema.optionalKey(Progress),
  fault: Schema.optionalKey(Schema.Literal("channel"))
})
export type Permanent = typeof Permanent.Type

/** Outcome of one attempt on any channel. Contains no secret, because the ledger stores it. */
export const Outcome = Schema.Union([Delivered, Retryable, Permanent])
export type Outcome = typeof Outcome.Type
