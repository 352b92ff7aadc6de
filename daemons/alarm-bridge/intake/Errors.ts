import { Schema } from "effect"

/** Why a mailbox cannot be watched. Every reason may pass by itself, so the watcher keeps trying. */
export class MailboxFailure extends Schema.TaggedError<MailboxFailure>()("MailboxFailure", {
  reason: Schema.Literals([
    /** The server refuses user or password. Retried slowly, because servers count failed sign-ins. */
    "SignInRefused",
    /** No connection: DNS, network, TLS, or the server is down. */
    "Unreachable",
    /** An open connection was lost. */
    "ConnectionLost",
    /** The server answered a command with NO or BAD. */
    "CommandRefused",
    "FolderMissing",
    "PasswordUnreadable",
    /** The server lists a message but does not return it. */
    "MessageUnreadable",
    /** Another process moved the cursor; this one must reopen the mailbox. */
    "Overtaken"
  ]),
  mailbox: Schema.String,
  detail: Schema.String
}) {
  override get message() {
    return `mailbox ${this.mailbox}: ${words[this.reason]}${this.detail === "" ? "" : ` (${this.detail})`}`
  }

  /** Without the server's text. */
  get ownWords() {
    return `mailbox ${this.mailbox}: ${words[this.reason]}`
  }
}

const words: Record<MailboxFailure["reason"], string> = {
  SignInRefused: "the server refuses user or password",
  Unreachable: "the server cannot be reached",
  ConnectionLost: "the connection was lost",
  CommandRefused: "the server refused a command",
  FolderMissing: "the folder does not exist",
  PasswordUnreadable: "the password cannot be read",
  MessageUnreadable: "the server lists a message but does not return it",
  Overtaken: "another process took over"
}

/** The SMTP listener cannot open. The configuration or the machine must change; the listener keeps trying. */
export class SmtpListenerFailure extends Schema.TaggedError<SmtpListenerFailure>()("SmtpListenerFailure", {
  reason: Schema.Literals(["TlsFiles", "Listen"]),
  detail: Schema.String
}) {
  override get message() {
    return this.reason === "TlsFiles"
      ? `certificate or key of the SMTP listener cannot be used: ${this.detail}`
      : `the SMTP listener cannot open its port: ${this.detail}`
  }
}

/**
 * The worker could not parse a mail. Its header and the beginning of its text are used instead. Retrying does not help.
 */
export class MailTooHard extends Schema.TaggedError<MailTooHard>()("MailTooHard", {
  reason: Schema.Literals(["Full", "Timeout", "Broken"]),
  detail: Schema.String
}) {
  override get message() {
    return `a mail could not be read completely: ${this.detail}`
  }
}
