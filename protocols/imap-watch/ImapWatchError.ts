import { Schema } from "effect"

/** What went wrong. */
export const ImapWatchReason = Schema.TaggedUnion({
  /** No connection came about. `why` is a system or TLS error code. */
  NotConnected: { why: Schema.String },
  /**
   * The server does not let this user in. `code`: `AUTHENTICATIONFAILED`, `UNAVAILABLE`, … (RFC 5530), empty without
   * one.
   */
  Refused: { code: Schema.String },
  /** NO or BAD to a command. `answer` is the server's, bounded. */
  Rejected: { answer: Schema.String },
  /** No answer within `milliseconds`. */
  Timeout: { milliseconds: Schema.Finite },
  /** The server said farewell: it stops, it cut us off, or the watched folder is gone. */
  Bye: { text: Schema.String },
  /** The connection ended without a word. `why` is a system error code or a few words. */
  Lost: { why: Schema.String },
  /** What came is not IMAP, or beyond its limits; or what should be sent cannot be. */
  Protocol: { why: Schema.String }
})
export type ImapWatchReason = typeof ImapWatchReason.Type

/**
 * Never holds a password or token. `step`: the command's verb (`LOGIN`), `connect`, or `watch` while nothing was asked.
 */
export class ImapWatchError extends Schema.TaggedError<ImapWatchError>()("ImapWatchError", {
  step: Schema.String,
  reason: ImapWatchReason
}) {
  /** Whether the same again can succeed later without anybody changing anything. */
  get retryable(): boolean {
    if (this.reason._tag === "Refused") return temporary.has(this.reason.code)
    return this.reason._tag !== "Protocol" && this.reason._tag !== "Rejected"
  }

  override get message(): string {
    return `${this.step}: ${sentence(this.reason)}`
  }
}

/** Longest text of a server kept. Unit: characters. Reason: real ones are one short line. */
export const maxTextKept = 200

/** A server's text fit to be shown, on a terminal too: one line, bounded, without control characters. */
export const kept = (text: string): string =>
  text
    .replace(/[\p{C}\s]+/gu, " ")
    .trim()
    .slice(0, maxTextKept)

/** Source: RFC 5530 §3, those that pass by themselves. */
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
