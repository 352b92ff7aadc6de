import { Schema } from "effect"

/** Why a mailbox cannot be watched right now. Every reason may pass by itself; the watcher goes on trying. */
export class MailboxFailure extends Schema.TaggedError<MailboxFailure>()("MailboxFailure", {
  reason: Schema.Literals([
    /** The server does not take user and password: asked again politely, others count knocks. */
    "SignInRefused",
    /** No connection: name, route, TLS, or the server is away. */
    "Unreachable",
    /** The connection was there and is gone. */
    "ConnectionLost",
    /** The server answered NO or BAD to a command. */
    "CommandRefused",
    "FolderMissing",
    "PasswordUnreadable",
    /** The server lists a message and does not hand it out. */
    "MessageUnreadable",
    /** Another runner moved the cursor: this one has to open the mailbox anew. */
    "Overtaken"
  ]),
  mailbox: Schema.String,
  detail: Schema.String
}) {
  override get message() {
    return `mailbox ${this.mailbox}: ${words[this.reason]}${this.detail === "" ? "" : ` (${this.detail})`}`
  }
}

const words: Record<MailboxFailure["reason"], string> = {
  SignInRefused: "the server refuses user or password",
  Unreachable: "the server cannot be reached",
  ConnectionLost: "the connection was lost",
  CommandRefused: "the server refused a command",
  FolderMissing: "there is no such folder",
  PasswordUnreadable: "the password cannot be read",
  MessageUnreadable: "the server does not hand out a message that it lists",
  Overtaken: "another process took over"
}

/** The SMTP listener cannot open. A change of configuration or of the machine is needed; it goes on trying. */
export class SmtpListenerFailure extends Schema.TaggedError<SmtpListenerFailure>()("SmtpListenerFailure", {
  reason: Schema.Literals(["TlsFiles", "Listen"]),
  detail: Schema.String
}) {
  override get message() {
    return this.reason === "TlsFiles"
      ? `certificate or key of the SMTP listener cannot be used: ${this.detail}`
      : `the SMTP listener cannot listen: ${this.detail}`
  }
}

/** The worker could not take a mail apart; the header and the first text are used instead. No retry helps. */
export class MailTooHard extends Schema.TaggedError<MailTooHard>()("MailTooHard", {
  reason: Schema.Literals(["Full", "Timeout", "Broken"]),
  detail: Schema.String
}) {
  override get message() {
    return `a mail could not be read whole: ${this.detail}`
  }
}
