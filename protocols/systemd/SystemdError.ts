/**
 * What can go wrong between a service and systemd. One class, a tagged reason.
 * A caller may log and go on: a lost message costs a restart at most, and systemd decides that.
 */
import { Schema } from "effect"

/** A variable that systemd sets does not have the form systemd documents. No retry helps. */
export class InvalidEnvironment extends Schema.TaggedClass<InvalidEnvironment>()("InvalidEnvironment", {
  variable: Schema.String,
  detail: Schema.String
}) {}

/** `systemd-notify` is not installed. No retry helps. */
export class HelperMissing extends Schema.TaggedClass<HelperMissing>()("HelperMissing", { detail: Schema.String }) {}

/** `systemd-notify` ran and could not deliver. A retry may help. */
export class HelperFailed extends Schema.TaggedClass<HelperFailed>()("HelperFailed", { detail: Schema.String }) {}

/** systemd did not take the message in time. A retry may help. */
export class HelperTimedOut extends Schema.TaggedClass<HelperTimedOut>()("HelperTimedOut", {
  milliseconds: Schema.Int
}) {}

/** The name cannot name a credential (empty, with a slash, `.` or `..`). No retry helps. */
export class CredentialNameInvalid extends Schema.TaggedClass<CredentialNameInvalid>()("CredentialNameInvalid", {
  name: Schema.String
}) {}

/** The credential exceeds the bound. No retry helps. */
export class CredentialTooLarge extends Schema.TaggedClass<CredentialTooLarge>()("CredentialTooLarge", {
  name: Schema.String,
  limitBytes: Schema.Int
}) {}

/** The credential is there and cannot be read (permission, not a file, not UTF-8). No retry helps. */
export class CredentialUnreadable extends Schema.TaggedClass<CredentialUnreadable>()("CredentialUnreadable", {
  name: Schema.String,
  detail: Schema.String
}) {}

export class SystemdError extends Schema.TaggedError<SystemdError>()("SystemdError", {
  reason: Schema.Union([
    InvalidEnvironment,
    HelperMissing,
    HelperFailed,
    HelperTimedOut,
    CredentialNameInvalid,
    CredentialTooLarge,
    CredentialUnreadable
  ])
}) {
  /** Whether the same call may succeed later with nothing changed. */
  get retryable(): boolean {
    return this.reason._tag === "HelperFailed" || this.reason._tag === "HelperTimedOut"
  }

  override get message(): string {
    const { _tag, ...rest } = this.reason
    return `${_tag} ${JSON.stringify(rest)}`
  }
}
