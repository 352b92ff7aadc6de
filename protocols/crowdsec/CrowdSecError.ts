import { Schema } from "effect"

/** Reason why a call failed. */
export const CrowdSecReason = Schema.TaggedUnion({
  /** The connection failed, so nothing was sent. */
  NotReached: { detail: Schema.String },
  /** The request was sent but not answered; the server may have executed it. */
  NoAnswer: { detail: Schema.String },
  /** 401 or 403: the key, or the machine's name or password, is not accepted. */
  Unauthorized: { credentials: Schema.Literals(["bouncer key", "machine password"]) },
  /** The call needs credentials that are not configured. */
  NoCredentials: { credentials: Schema.Literals(["bouncer key", "machine password"]) },
  /** The server has no decision with this id. */
  NotFound: {},
  /** Another HTTP status. `message` is the server's text, shortened. */
  Refused: { status: Schema.Int, message: Schema.String },
  /** The answer is not from this API, or too long. */
  NotItsAnswer: { status: Schema.Int, why: Schema.String }
})
export type CrowdSecReason = typeof CrowdSecReason.Type

/** Contains no key, password or token. Every call can be repeated: deleting twice is harmless. */
export class CrowdSecError extends Schema.TaggedError<CrowdSecError>()("CrowdSecError", {
  operation: Schema.String,
  reason: CrowdSecReason
}) {
  /** Whether the same call can succeed later without a change of the configuration. */
  get retryable(): boolean {
    const { reason } = this
    return (
      reason._tag === "NotReached" || reason._tag === "NoAnswer" || (reason._tag === "Refused" && reason.status >= 500)
    )
  }

  override get message(): string {
    return `${this.operation}: ${sentence(this.reason)}`
  }
}

const sentence = CrowdSecReason.match({
  NotReached: ({ detail }) => detail,
  NoAnswer: ({ detail }) => detail,
  Unauthorized: ({ credentials }) => `CrowdSec does not accept the ${credentials}`,
  NoCredentials: ({ credentials }) => `the ${credentials} is not configured`,
  NotFound: () => "CrowdSec has no such decision",
  Refused: ({ message, status }) => `${message} (${status})`,
  NotItsAnswer: ({ status, why }) => `unusable answer (${status}): ${why}`
})
