import { Schema } from "effect"

/** Why a command was not done. */
export const DoveadmReason = Schema.TaggedUnion({
  /** No connection, or it ended before the answer. `code` is a system error code. */
  Unreachable: { code: Schema.String },
  TimedOut: { milliseconds: Schema.Finite },
  /** An HTTP status that is not 200: 401 or 403 for a wrong key. */
  Refused: { status: Schema.Int },
  /** What came is no answer of doveadm's, or one to another command. */
  BadAnswer: {},
  /** doveadm tried and failed. `exitCode` is one of sysexits(3); undefined when it says none. */
  Command: { type: Schema.String, exitCode: Schema.optionalKey(Schema.Int) }
})
export type DoveadmReason = typeof DoveadmReason.Type

/** Shows neither the key nor the mailbox. All can succeed later: the server is another's to mend. */
export class DoveadmError extends Schema.TaggedError<DoveadmError>()("DoveadmError", { reason: DoveadmReason }) {
  readonly retryable = true
  override get message(): string {
    return DoveadmReason.match(this.reason, {
      Unreachable: ({ code }) => `doveadm is not reached: ${code}`,
      TimedOut: ({ milliseconds }) => `doveadm did not answer within ${milliseconds} ms`,
      Refused: ({ status }) => `doveadm refused with HTTP status ${status}`,
      BadAnswer: () => "doveadm's answer cannot be read",
      Command: ({ exitCode, type }) => `doveadm failed: ${type}${exitCode === undefined ? "" : ` ${exitCode}`}`
    })
  }
}
