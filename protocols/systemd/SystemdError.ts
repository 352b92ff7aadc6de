/**
 * Errors between a service and systemd: one class with a tagged reason. Callers may log a failed notification and
 * continue: at worst systemd restarts the service.
 */
import { Schema } from "effect"

/** A variable of systemd does not have its documented form. A retry does not help. */
export class InvalidEnvironment extends Schema.TaggedClass<InvalidEnvironment>()("InvalidEnvironment", {
  variable: Schema.String,
  detail: Schema.String
}) {}

/** `systemd-notify` is not installed. A retry does not help. */
export class HelperMissing extends Schema.TaggedClass<HelperMissing>()("HelperMissing", { detail: Schema.String }) {}

/** `systemd-notify` ran but could not deliver the message. A retry may help. */
export class HelperFailed extends Schema.TaggedClass<HelperFailed>()("HelperFailed", { detail: Schema.String }) {}

/** systemd did not receive the message in time. A retry may help. */
export class HelperTimedOut extends Schema.TaggedClass<HelperTimedOut>()("HelperTimedOut", {
  milliseconds: Schema.Int
}) {}

/** The name is not a valid credential name (empty, with a slash, `.` or `..`). A retry does not help. */
export class CredentialNameInvalid extends Schema.TaggedClass<CredentialNameInvalid>()("CredentialNameInvalid", {
  name: Schema.String
}) {}

/** The credential is larger than the limit. A retry does not help. */
export class CredentialTooLarge extends Schema.TaggedClass<CredentialTooLarge>()("CredentialTooLarge", {
  name: Schema.String,
  limitBytes: Schema.Int
}) {}

/** The credential exists but cannot be read (permission, not a file, not UTF-8). A retry does not help. */
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
  /** Whether the same call can succeed later without a change. */
  get retryable(): boolean {
    return this.reason._tag === "HelperFailed" || this.reason._tag === "HelperTimedOut"
  }

  override get message(): string {
    const { _tag, ...rest } = this.reason
    return `${_tag} ${JSON.stringify(rest)}`
  }
}
