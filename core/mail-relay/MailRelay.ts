/**
 * Sends one composed mail to an SMTP relay. Each mail has its own connection. Nothing is queued or retried here. Used
 * for operator notices and the daily test alarm, not for customer mail. Source: RFC 5321, RFC 8314 (submission), RFC
 * 7435 (opportunistic security).
 */
import { Duration, Effect, Redacted, Schema, type Scope } from "effect"
import { isIP } from "node:net"
import SMTPConnection from "nodemailer/lib/smtp-connection"
import MailComposer from "nodemailer/lib/mail-composer"
import type { Relay } from "../second-path/RelayAddress.ts"

export interface RelayedMail {
  readonly from: string
  readonly to: ReadonlyArray<string>
  readonly subject: string
  readonly text: string
  /** HTML version of the mail; when unset, the mail is plain text only. */
  readonly html?: string
  /** Message id, including angle brackets. */
  readonly messageId: string
  readonly headers?: Readonly<Record<string, string>>
  /** Picture that the HTML shows as `cid:` and its id. */
  readonly picture?: MailPicture | undefined
}

/** A picture inside a mail. */
export interface MailPicture {
  /** Content id, without angle brackets. */
  readonly id: string
  /** Media type. */
  readonly type: string
  readonly content: Uint8Array
}

/**
 * Time from name resolution to the SMTP greeting. Unit: milliseconds. Reason: a working relay answers within a few
 * seconds.
 */
const connectTimeout = 15_000

/**
 * How long the relay may send nothing. Unit: milliseconds. Reason: less than RFC 5321 §4.5.3.2 allows, because the
 * caller retries.
 */
const silenceTimeout = 30_000

/**
 * Time for one mail in total. Unit: seconds. Reason: a relay that sends single bytes must not block the sender forever.
 */
const wholeTimeout = Duration.seconds(60)

/** Maximum length of relay text quoted in our messages. Unit: characters. */
const maxDetail = 200

/** The relay did not accept the mail. Never contains a password. */
export class MailRelayError extends Schema.TaggedError<MailRelayError>()("MailRelayError", {
  reason: Schema.Literals([
    /** No connection, or TLS failed. */
    "Unreachable",
    /** The relay refused user and password. */
    "SignInRefused",
    /** 5xx: the relay refuses this mail permanently. */
    "Refused",
    /** 4xx: temporary refusal. */
    "PutOff",
    /** The connection broke or timed out; the relay may have accepted the mail. */
    "NoAnswer"
  ]),
  relay: Schema.String,
  detail: Schema.String
}) {
  /** Whether the same mail can be accepted later without any change. */
  get retryable(): boolean {
    return this.reason !== "Refused" && this.reason !== "SignInRefused"
  }

  override get message() {
    return `relay ${this.relay} ${words[this.reason]}${this.detail === "" ? "" : `: ${this.detail}`}`
  }

  /** Without the relay's text, which can name recipients; with its reply code and enhanced code (RFC 3463). */
  get ownWords(): string {
    const [code] = /^[245]\d\d(?:[ -][245]\.\d{1,3}\.\d{1,3}(?= |$))?/.exec(this.detail) ?? []
    return `relay ${this.relay} ${words[this.reason]}${code === undefined ? "" : ` (${code})`}`
  }
}

const words: Record<MailRelayError["reason"], string> = {
  Unreachable: "cannot be reached",
  SignInRefused: "refuses user or password",
  Refused: "refuses the mail",
  PutOff: "puts the mail off",
  NoAnswer: "gave no answer"
}

/** Sends the mail. Success means that the relay accepted it for at least one recipient. */
export const send = (relay: Relay, mail: RelayedMail): Effect.Effect<void, MailRelayError> =>
  bounded(
    relay,
    Effect.gen(function* () {
      const raw = yield* Effect.promise(() => compose(mail))
      const connection = yield* signedIn(relay)
      yield* Effect.callback<void, MailRelayError>((resume) =>
        connection.send({ from: mail.from, to: [...mail.to] }, raw, (error) =>
          resume(error ? Effect.fail(failureOf(relay, error, "NoAnswer")) : Effect.void)
        )
      )
    })
  )

/** Connects and authenticates without sending a mail, to check whether the relay is usable. */
export const probe = (relay: Relay): Effect.Effect<void, MailRelayError> =>
  bounded(relay, Effect.asVoid(signedIn(relay)))

/**
 * Encodes the mail as MIME: plain text, plus HTML when given. The transfer encoding makes any line length and character
 * safe.
 */
export const compose = (mail: RelayedMail): Promise<Buffer> =>
  new MailComposer({
    from: mail.from,
    to: [...mail.to],
    subject: mail.subject,
    text: mail.text,
    ...(mail.html === undefined ? {} : { html: mail.html }),
    ...(mail.picture === undefined || mail.html === undefined ? {} : { attachments: [attachmentOf(mail.picture)] }),
    messageId: mail.messageId,
    headers: { ...mail.headers },
    disableFileAccess: true,
    disableUrlAccess: true
  })
    .compile()
    .build()

const attachmentOf = ({ content, id, type }: MailPicture) => ({
  cid: id,
  contentType: type,
  content: Buffer.from(content),
  filename: `logo.${type.split("/")[1]}`,
  contentDisposition: "inline" as const
})

const bounded = <A>(
  relay: Relay,
  effect: Effect.Effect<A, MailRelayError, Scope.Scope>
): Effect.Effect<A, MailRelayError> =>
  Effect.timeoutOrElse(Effect.scoped(effect), {
    duration: wholeTimeout,
    orElse: () =>
      Effect.fail(
        new MailRelayError({
          reason: "NoAnswer",
          relay: nameOf(relay),
          detail: `not within ${Duration.toSeconds(wholeTimeout)} s`
        })
      )
  })

const signedIn = Effect.fnUntraced(function* (relay: Relay) {
  const connection = yield* Effect.acquireRelease(
    Effect.sync(() => new SMTPConnection(optionsOf(relay))),
    (open) => Effect.sync(() => open.close())
  )
  yield* Effect.callback<void, MailRelayError>((resume) => {
    const fail = (error: unknown) => resume(Effect.fail(failureOf(relay, error, "Unreachable")))
    // Stays registered for later errors: an error without a listener would end the process.
    connection.on("error", fail)
    connection.connect((error) => (error ? fail(error) : resume(Effect.void)))
  })
  const { credentials } = relay
  if (credentials !== undefined) {
    yield* Effect.callback<void, MailRelayError>((resume) =>
      connection.login({ user: credentials.user, pass: Redacted.value(credentials.password) }, (error) =>
        resume(error ? Effect.fail(failureOf(relay, error, "NoAnswer")) : Effect.void)
      )
    )
  }
  return connection
})

/**
 * TLS options. Passwords are sent only to a relay with a valid certificate, or on this machine. Without a password,
 * unverified TLS is accepted, because local relays often have self-signed certificates.
 */
const optionsOf = (relay: Relay) => {
  const strict = !isLoopback(relay.host) && (relay.implicitTls || relay.credentials !== undefined)
  return {
    host: relay.host,
    port: relay.port,
    secure: relay.implicitTls,
    ...(relay.implicitTls ? {} : strict ? { requireTLS: true } : { opportunisticTLS: true }),
    tls: { rejectUnauthorized: strict },
    // A relay on this machine or in the local network is a normal configuration.
    allowInternalNetworkInterfaces: true,
    dnsTimeout: connectTimeout,
    connectionTimeout: connectTimeout,
    greetingTimeout: connectTimeout,
    socketTimeout: silenceTimeout,
    socketCloseTimeout: 1_000
  }
}

const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."))

const nameOf = (relay: Relay): string => `${relay.host}:${relay.port}`

/** Maps an error of the library to a reason. `otherwise`: reason for an error without SMTP reply at this step. */
const failureOf = (relay: Relay, error: unknown, otherwise: "Unreachable" | "NoAnswer"): MailRelayError => {
  const { code, message, response, responseCode } = error as {
    readonly code?: string
    readonly message?: string
    readonly response?: string
    readonly responseCode?: number
  }
  const reason =
    responseCode === undefined
      ? code === "EDNS" || code === "ETLS"
        ? "Unreachable"
        : otherwise
      : code === "EAUTH" && responseCode >= 500
        ? "SignInRefused"
        : responseCode >= 500
          ? "Refused"
          : "PutOff"
  return new MailRelayError({
    reason,
    relay: nameOf(relay),
    detail: withoutSecret(relay, response ?? message ?? String(error))
  })
}

/** Reduces a relay's text to one bounded line, with the password removed in case the relay quotes it. */
const withoutSecret = (relay: Relay, text: string): string => {
  const line = text.replace(/[\p{C}\s]+/gu, " ").trim()
  const password = relay.credentials === undefined ? "" : Redacted.value(relay.credentials.password)
  return (password === "" ? line : line.replaceAll(password, "…")).slice(0, maxDetail)
}
