import { Schema } from "effect"

/** What a channel remembers for the next attempt: that many parts of the message have gone out. */
export const Progress = Schema.Struct({ partsSent: Schema.Int })
export type Progress = typeof Progress.Type

/**
 * `detail`: what the other side answered, for the ledger. `acknowledged`: a person took the alarm on while it was being
 * delivered, and by what (`key 1 on +49…`).
 */
export const Delivered = Schema.TaggedStruct("Delivered", {
  detail: Schema.String,
  acknowledged: Schema.optionalKey(Schema.String)
})
export type Delivered = typeof Delivered.Type

/**
 * Not delivered, and trying again can help.
 * - `retryAfter`: milliseconds the other side asked to be left alone (429, 503).
 * - `reached`: `no`: nothing of the request left this machine; `perhaps`: it left and no answer came, so it may have been
 *   carried out; `yes`: the other side answered and did not carry it out.
 * - `fault: channel`: the channel itself is away (its API, the switch), not this target: every other target of it would
 *   have failed as well.
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
 * Not delivered, and the same request would fail again. `fault: channel`: not for this target's sake; every other target
 * of the channel would be refused as well (a token that is not accepted).
 */
export const Permanent = Schema.TaggedStruct("Permanent", {
  reason: Schema.String,
  progress: Schema.optionalKey(Progress),
  fault: Schema.optionalKey(Schema.Literal("channel"))
})
export type Permanent = typeof Permanent.Type

/** How one attempt of any channel ended. Holds no secret: it stands in the ledger. */
export const Outcome = Schema.Union([Delivered, Retryable, Permanent])
export type Outcome = typeof Outcome.Type
