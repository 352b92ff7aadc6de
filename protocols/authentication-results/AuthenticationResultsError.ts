import { Schema } from "effect"

/** Why a header could not be read. Reading it again does not help. */
export class AuthenticationResultsError extends Schema.TaggedError<AuthenticationResultsError>()(
  "AuthenticationResultsError",
  {
    /**
     * `TooLong`: beyond `maxLength`; `ControlCharacter`: NUL and the like; `Version`: not version 1; `Malformed`:
     * anything else.
     */
    reason: Schema.Literals(["TooLong", "ControlCharacter", "Version", "Malformed"]),
    /** Where it went wrong. 0-based, in UTF-16 units of the header as given. */
    position: Schema.Int
  }
) {
  readonly retryable = false
  /** Shows nothing of the header. */
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
