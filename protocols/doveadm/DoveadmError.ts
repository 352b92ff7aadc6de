import { Schema } from "effect"

/** Reason why a command failed. */
export const DoveadmReason = Schema.TaggedUnion({
  /** The connection failed or ended before the answer. `code` is a system error code. */
  Unreachable: { code: Schema.String },
  TimedOut: { milliseconds: Schema.Finite },
  /** An HTTP status other than 200: 401 or 403 for a wrong key. */
  Refused: { status: Schema.Int },
  /** The answer is not from doveadm, or it belongs to another command. */
  BadAnswer: {},
  /** doveadm ran the command and it failed. `exitCode` is one of sysexits(3); undefined when the answer has none. */
  Command: { type: Schema.String, exitCode: Schema.optionalKey(Schema.Int) }
})
export type DoveadmReason = typeof DoveadmReason.Type

/** Contains neither the key nor the mailbox. Always retryable, because every cause can be repaired on the server. */
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
