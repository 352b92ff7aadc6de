/**
 * Hands one composed mail to an SMTP relay, and says whether the relay took it. One connection a mail, which ends with
 * the call: nothing is queued here, nothing is repeated. For operators' notices and the daily test alarm; mail of
 * customers has ways of its own. Source: RFC 5321, RFC 8314 (submission), RFC 7435 (opportunistic security).
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
  /** The same as a page; unset: plain text alone. */
  readonly html?: string
  /** With its angle brackets. */
  readonly messageId: string
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * From name look-up to the greeting. Unit: milliseconds. Reason: a relay that is there answers within a few seconds.
 */
const connectTimeout = 15_000

/**
 * How long the relay may be silent. Unit: milliseconds. Reason: shorter than RFC 5321 §4.5.3.2 allows; we come again.
 */
const silenceTimeout = 30_000

/** The whole of one mail. Unit: seconds. Reason: a relay that trickles bytes must not hold the sender for good. */
const wholeTimeout = Duration.seconds(60)

/** Longest text of a relay that gets into a message of ours. Unit: characters. */
const maxDetail = 200

/** The relay did not take the mail. Never holds a password. */
export class MailRelayError extends Schema.TaggedError<MailRelayError>()("MailRelayError", {
  reason: Schema.Literals([
    /** No connection, or no TLS. */
    "Unreachable",
    /** The relay does not take user and password. */
    "SignInRefused",
    /** 5xx: the relay will not take this mail. */
    "Refused",
    /** 4xx: not now. */
    "PutOff",
    /** The connection broke, or the time was over; the mail may have been taken. */
    "NoAnswer"
  ]),
  relay: Schema.String,
  detail: Schema.String
}) {
  /** Whether the same mail can be taken later with nothing changed. */
  get retryable(): boolean {
    return this.reason !== "Refused" && this.reason !== "SignInRefused"
  }

  override get message() {
    return `relay ${this.relay} ${words[this.reason]}${this.detail === "" ? "" : `: ${this.detail}`}`
  }
}

const words: Record<MailRelayError["reason"], string> = {
  Unreachable: "cannot be reached",
  SignInRefused: "refuses user or password",
  Refused: "refuses the mail",
  PutOff: "puts the mail off",
  NoAnswer: "gave no answer"
}

/** Sends; the relay has taken the mail for at least one recipient when this succeeds. */
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

/** Connects and signs in, and sends nothing: whether a mail would have a way. */
export const probe = (relay: Relay): Effect.Effect<void, MailRelayError> =>
  bounded(relay, Effect.asVoid(signedIn(relay)))

/**
 * The mail as it goes out; plain text, with a page where there is one, and a body that no line length or character of
 * another side can break.
 */
export const compose = (mail: RelayedMail): Promise<Buffer> =>
  new MailComposer({
    from: mail.from,
    to: [...mail.to],
    subject: mail.subject,
    text: mail.text,
    ...(mail.html === undefined ? {} : { html: mail.html }),
    messageId: mail.messageId,
    headers: { ...mail.headers },
    disableFileAccess: true,
    disableUrlAccess: true
  })
    .compile()
    .build()

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
    // Also later errors end here: without a listener they would end the process.
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
 * A password is said only to a relay whose certificate is good, or on this machine. Without one, encryption that proves
 * nothing is better than a notice that does not go: the certificate of a relay next door is mostly its own.
 */
const optionsOf = (relay: Relay) => {
  const strict = !isLoopback(relay.host) && (relay.implicitTls || relay.credentials !== undefined)
  return {
    host: relay.host,
    port: relay.port,
    secure: relay.implicitTls,
    ...(relay.implicitTls ? {} : strict ? { requireTLS: true } : { opportunisticTLS: true }),
    tls: { rejectUnauthorized: strict },
    // A relay on this machine or in this network is what the setting is for.
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

/** What the library says, in our reasons; `otherwise`: what an error without an answer means at this step. */
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

/** One line, bounded; a relay that repeats what it was told does not get the password into a log. */
const withoutSecret = (relay: Relay, text: string): string => {
  const line = text.replace(/[\p{C}\s]+/gu, " ").trim()
  const password = relay.credentials === undefined ? "" : Redacted.value(relay.credentials.password)
  return (password === "" ? line : line.replaceAll(password, "…")).slice(0, maxDetail)
}
