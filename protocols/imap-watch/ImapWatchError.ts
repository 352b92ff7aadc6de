import { Schema } from "effect"

/** Reason of a failure. */
export const ImapWatchReason = Schema.TaggedUnion({
  /** No connection was established. `why` is a system or TLS error code. */
  NotConnected: { why: Schema.String },
  /**
   * The server refused the login. `code`: response code such as `AUTHENTICATIONFAILED` or `UNAVAILABLE` (RFC 5530),
   * empty when there is none.
   */
  Refused: { code: Schema.String },
  /** NO or BAD to a command. `answer` is the server's text, shortened. */
  Rejected: { answer: Schema.String },
  /** No answer within `milliseconds`. */
  Timeout: { milliseconds: Schema.Finite },
  /** The server sent BYE: it shuts down, ends the session, or the watched folder was deleted. */
  Bye: { text: Schema.String },
  /** The connection ended without BYE. `why` is a system error code or a few words. */
  Lost: { why: Schema.String },
  /** The input is not IMAP or exceeds a limit; or a command cannot be encoded. */
  Protocol: { why: Schema.String }
})
export type ImapWatchReason = typeof ImapWatchReason.Type

/**
 * Contains no password or token. `step`: the command's verb (`LOGIN`), `connect`, or `watch` when no command was
 * pending.
 */
export class ImapWatchError extends Schema.TaggedError<ImapWatchError>()("ImapWatchError", {
  step: Schema.String,
  reason: ImapWatchReason
}) {
  /** Whether a new attempt can succeed later without a change. */
  get retryable(): boolean {
    if (this.reason._tag === "Refused") return temporary.has(this.reason.code)
    return this.reason._tag !== "Protocol" && this.reason._tag !== "Rejected"
  }

  override get message(): string {
    return `${this.step}: ${sentence(this.reason)}`
  }

  /** The message without the server's text. */
  get ownWords(): string {
    const { reason, step } = this
    if (reason._tag === "Rejected") return `${step}: the server refuses the command`
    return reason._tag === "Bye" ? `${step}: the server ended the connection` : this.message
  }
}

/** Longest server text kept in an error. Unit: characters. Reason: real texts are one short line. */
export const maxTextKept = 200

/** Server text made safe to display, also on a terminal: one line, shortened, without control characters. */
export const kept = (text: string): string =>
  text
    .replace(/[\p{C}\s]+/gu, " ")
    .trim()
    .slice(0, maxTextKept)

/** Response codes for temporary failures. Source: RFC 5530 §3. */
const temporary = new Set(["UNAVAILABLE", "INUSE", "SERVERBUG", "LIMIT"])

const sentence: (reason: ImapWatchReason) => string = ImapWatchReason.match({
  NotConnected: ({ why }) => `the server cannot be reached (${why})`,
  Refused: ({ code }) => `the server refuses the login${code === "" ? "" : ` (${code})`}`,
  Rejected: ({ answer }) => answer,
  Timeout: ({ milliseconds }) => `no answer within ${milliseconds} ms`,
  Bye: ({ text }) => `the server ended it (${text})`,
  Lost: ({ why }) => `the connection ended (${why})`,
  Protocol: ({ why }) => why
})
