import { Schema } from "effect"

/** Reason of a failure on our side of the policy protocol. */
export const PostfixPolicyReason = Schema.TaggedUnion({
  /** The port or socket is in use or may not be bound. `why` is a system error code. */
  Listen: { address: Schema.String, why: Schema.String },
  /** The text of an action is not printable ASCII or is longer than `maxTextLength`. */
  Text: {}
})
export type PostfixPolicyReason = typeof PostfixPolicyReason.Type

/** Contains no part of a request, which holds personal data. */
export class PostfixPolicyError extends Schema.TaggedError<PostfixPolicyError>()("PostfixPolicyError", {
  reason: PostfixPolicyReason
}) {
  /** Whether the same call can succeed later. */
  get retryable(): boolean {
    return this.reason._tag === "Listen"
  }

  override get message(): string {
    return PostfixPolicyReason.match(this.reason, {
      Listen: ({ address, why }) => `cannot listen on ${address}: ${why}`,
      Text: () => "the text of an action has characters that cannot be said, or too many"
    })
  }
}
