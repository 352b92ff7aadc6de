import { Schema } from "effect"
import { causeFromAnswer, describeCause } from "./HangupCause.ts"

/** Reason of a failure. `sent`: whether the switch may have read, and therefore executed, the command. */
export const EventSocketReason = Schema.TaggedUnion({
  /** There is no connection to the switch, so nothing was sent. `why` is a system error code or a few words. */
  NotConnected: { why: Schema.String },
  /** The switch refuses this client because of its ACL or the password. */
  Refused: { by: Schema.Literals(["acl", "password"]) },
  /** No answer within `milliseconds`. */
  Timeout: { milliseconds: Schema.Finite, sent: Schema.Boolean },
  /** The connection ended before the answer arrived. */
  Lost: { why: Schema.String, sent: Schema.Boolean },
  /** The switch answered `-ERR …` or `-USAGE …`. `answer` is that line, shortened, without its line end. */
  Rejected: { answer: Schema.String },
  /** The input violates the protocol or exceeds a limit; or the command cannot be encoded (`sent: false`). */
  Protocol: { why: Schema.String, sent: Schema.Boolean }
})
export type EventSocketReason = typeof EventSocketReason.Type

/** Contains no password. `command` is the first word or two of the command (`api status`), never its arguments. */
export class EventSocketError extends Schema.TaggedError<EventSocketError>()("EventSocketError", {
  command: Schema.String,
  reason: EventSocketReason
}) {
  /**
   * Whether the same command can succeed later. For `Rejected` the hang-up cause decides; without a cause it is
   * retryable.
   */
  get retryable(): boolean {
    return traits(this.reason).retryable
  }

  /** Whether the switch may have executed the command; for example, a call may have been dialled. */
  get sent(): boolean {
    return traits(this.reason).sent
  }

  override get message(): string {
    return `${this.command}: ${traits(this.reason).sentence}`
  }

  /** The message without the switch's text. */
  get ownWords(): string {
    return this.reason._tag === "Rejected" ? `${this.command}: the switch refuses the command` : this.message
  }
}

/** Longest answer kept in an error. Unit: characters. Reason: the switch's answers are one line. */
export const maxAnswerKept = 300

interface Traits {
  readonly retryable: boolean
  readonly sent: boolean
  readonly sentence: string
}

const traits: (reason: EventSocketReason) => Traits = EventSocketReason.match({
  NotConnected: ({ why }): Traits => ({
    retryable: true,
    sent: false,
    sentence: `the switch is not connected (${why})`
  }),
  Refused: ({ by }): Traits => ({
    retryable: false,
    sent: false,
    sentence: by === "acl" ? "the switch refuses this address (ACL)" : "the switch refuses the password"
  }),
  Timeout: ({ milliseconds, sent }): Traits => ({
    retryable: true,
    sent,
    sentence: `no answer within ${milliseconds} ms`
  }),
  Lost: ({ sent, why }): Traits => ({ retryable: true, sent, sentence: `the connection ended (${why})` }),
  Rejected: ({ answer }): Traits => ({
    retryable: describeCause(causeFromAnswer(answer) ?? "").retryable,
    sent: true,
    sentence: answer
  }),
  Protocol: ({ sent, why }): Traits => ({ retryable: false, sent, sentence: why })
})
