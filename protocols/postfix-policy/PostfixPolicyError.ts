import { Schema } from "effect"

/** Reason of a failure on our side of the policy protocol. */
export const PostfixPolicyReason = Schema.TaggedUnion({
  /** The text of an action is not printable ASCII or is longer than `maxTextLength`. */
  Text: {}
})
export type PostfixPolicyReason = typeof PostfixPolicyReason.Type

/** Contains no part of a request, which holds personal data. */
export class PostfixPolicyError extends Schema.TaggedError<PostfixPolicyError>()("PostfixPolicyError", {
  reason: PostfixPolicyReason
}) {
  /** Whether the same call can succeed later. */
  readonly retryable = false

  override get message(): string {
    return PostfixPolicyReason.match(this.reason, {
      Text: () => "the text of an action has characters that cannot be said, or too many"
    })
  }
}
