import { Schema } from "effect"

/** Reason why a header could not be parsed. A retry does not help. */
export class AuthenticationResultsError extends Schema.TaggedError<AuthenticationResultsError>()(
  "AuthenticationResultsError",
  {
    /**
     * `TooLong`: longer than `maxLength`; `ControlCharacter`: NUL and other control characters; `Version`: not version
     * 1; `Malformed`: any other violation of the grammar.
     */
    reason: Schema.Literals(["TooLong", "ControlCharacter", "Version", "Malformed"]),
    /** Position of the error. 0-based, in UTF-16 units of the given header. */
    position: Schema.Int
  }
) {
  readonly retryable = false
  /** Contains no part of the header. */
  override get message(): string {
    return `${sentences[this.reason]} (at character ${this.position + 1})`
  }
}

const sentences = {
  TooLong: "the header is too long",
  ControlCharacter: "the header holds a control character",
  Version: "the header is of another version",
  Malformed: "the header does not follow RFC 8601"
}
