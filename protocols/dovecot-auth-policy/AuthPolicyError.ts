import { Schema } from "effect"

/** Reason why a request of Dovecot could not be decoded or an answer not encoded. A retry does not help. */
export class AuthPolicyError extends Schema.TaggedError<AuthPolicyError>()("AuthPolicyError", {
  /**
   * `Command`: neither allow nor report; `TooLarge`: larger than `maxBodyBytes`; `NotJson`: not JSON in UTF-8;
   * `Malformed`: a member is missing or has the wrong type; `Delay`: not whole seconds from 0 to `maxDelay`; `Message`:
   * not printable ASCII, or too long.
   */
  reason: Schema.Literals(["Command", "TooLarge", "NotJson", "Malformed", "Delay", "Message"])
}) {
  readonly retryable = false
  /** Contains no part of the request, which holds personal data and password hashes. */
  override get message(): string {
    return sentences[this.reason]
  }
}

const sentences = {
  Command: "the command is neither allow nor report",
  TooLarge: "the request is larger than Dovecot's are",
  NotJson: "the body is not JSON in UTF-8",
  Malformed: "a member is missing or of another type",
  Delay: "the delay is not whole seconds within Dovecot's own bound",
  Message: "the message is too long or has control characters"
}
