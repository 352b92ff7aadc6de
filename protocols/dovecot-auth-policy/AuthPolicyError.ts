import { Schema } from "effect"

/** Why a question of Dovecot's could not be read, or an answer not written. Trying again does not help. */
export class AuthPolicyError extends Schema.TaggedError<AuthPolicyError>()("AuthPolicyError", {
  /**
   * `Command`: neither allow nor report; `TooLarge`: beyond a bound; `NotJson`: not JSON in UTF-8; `Malformed`: a
   * member is missing or of another type; `Delay`: not whole seconds from 0 to `maxDelay`; `Message`: control
   * characters, or too long.
   */
  reason: Schema.Literals(["Command", "TooLarge", "NotJson", "Malformed", "Delay", "Message"])
}) {
  readonly retryable = false
  /** Shows nothing of what was read: it tells of persons and their passwords. */
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
