/**
 * Submits a mail to the account's mail server: TLS from the first byte, login by mail token or password, one connection
 * per mail. The error says whether the server may have accepted the mail. Source: RFC 6409, RFC 8314 §3.3, RFC 5321
 * §4.2.
 */
import { Context, Duration, Effect, Layer, Redacted, Schema } from "effect"
import SMTPConnection from "nodemailer/lib/smtp-connection"
import type XOAuth2 from "nodemailer/lib/xoauth2"
import { Readable } from "node:stream"
import {
  type Account,
  GuardedHost,
  type MailLogin,
  MailLogins,
  secureContextOf,
  type TrustSettings,
  unusable
} from "../accounts/Exports.ts"

/** Timeouts for connecting with TLS and for the greeting. Unit: milliseconds. */
const connectTimeout = 15_000

/**
 * Maximal silence of the server. Unit: milliseconds. Reason: servers scan the mail before they answer, and people wait.
 */
const silenceTimeout = 60_000

/** Timeout of one mail. Unit: seconds. Reason: 35 MiB over 3 Mbit/s. */
export const wholeTimeout = Duration.seconds(120)

/** Longest text of a mail server in an error detail. Unit: characters. */
const maxDetail = 200

export interface Refusal {
  readonly address: string
  readonly detail: string
}

export interface Envelope {
  readonly from: string
  readonly to: ReadonlyArray<string>
}

export interface Submitted {
  readonly accepted: ReadonlyArray<string>
  readonly rejected: ReadonlyArray<Refusal>
}

/** The mail was not accepted, except for `Unknown`. */
export class SubmissionError extends Schema.TaggedError<SubmissionError>()("SubmissionError", {
  reason: Schema.Literals([
    /** No connection, no TLS, or a temporary refusal (4xx). A retry may succeed. */
    "Away",
    /** The mail server refuses the sign-in. */
    "SignInRefused",
    /** The mail server refuses this mail (5xx). */
    "Refused",
    /** The mail server refuses all recipients. */
    "RecipientsRefused",
    /** The mail exceeds the server's limit. */
    "TooLarge",
    /** The connection broke or timed out after the mail was handed over. */
    "Unknown"
  ]),
  detail: Schema.String,
  rejected: Schema.Array(Schema.Struct({ address: Schema.String, detail: Schema.String }))
}) {
  override get message() {
    return `the mail was not sent (${this.reason}): ${this.detail}`
  }
}

export class Submission extends Context.Service<
  Submission,
  {
    /** Succeeds when the server accepted the mail for at least one recipient. */
    readonly submit: (account: Account, envelope: Envelope, raw: Buffer) => Effect.Effect<Submitted, SubmissionError>
  }
>()("signalbox/mail-watcher/Submission") {}

export const layer = (config: TrustSettings) =>
  Layer.effect(
    Submission,
    Effect.gen(function* () {
      const logins = yield* MailLogins
      const hosts = yield* GuardedHost
      const secureContext = secureContextOf(config)

      const attempt = Effect.fnUntraced(function* (
        account: Account,
        envelope: Envelope,
        raw: Buffer,
        progress: { handed: boolean }
      ) {
        const away = ({ detail }: { readonly detail?: string | undefined }) => failure("Away", detail ?? "")
        const server = yield* Effect.flatMap(Effect.mapError(logins.submission(account), unusable), hosts.dial).pipe(
          Effect.mapError(away)
        )
        const login = yield* Effect.mapError(logins.login(account), (error) => away(unusable(error)))
        const connection = yield* Effect.acquireRelease(
          Effect.sync(
            () =>
              new SMTPConnection({
                host: server.host,
                port: server.port,
                secure: true,
                tls: { secureContext, ...(server.servername === undefined ? {} : { servername: server.servername }) },
                // GuardedHost has already judged the address.
                allowInternalNetworkInterfaces: true,
                connectionTimeout: connectTimeout,
                greetingTimeout: connectTimeout,
                dnsTimeout: connectTimeout,
                socketTimeout: silenceTimeout
              })
          ),
          (open) => Effect.sync(() => open.close())
        )
        const secret = Redacted.value(login.secret.value)
        yield* step(
          (done) => {
            // The listener also receives later errors, which would otherwise end the process.
            connection.on("error", done)
            connection.connect((error) => done(error))
          },
          secret,
          progress
        )
        yield* step((done) => connection.login(credentials(login), (error) => done(error)), secret, progress)
        const body = Readable.from(
          (function* () {
            progress.handed = true
            yield raw
          })(),
          { objectMode: false }
        )
        return yield* step<SMTPConnection.SentMessageInfo>(
          (done) =>
            connection.send({ from: envelope.from, to: [...envelope.to], size: raw.length }, body, (error, info) =>
              done(error, info)
            ),
          secret,
          progress
        )
      }, Effect.scoped)

      return Submission.of({
        submit: (account, envelope, raw) =>
          Effect.suspend(() => {
            const progress = { handed: false }
            return attempt(account, envelope, raw, progress).pipe(
              Effect.timeoutOrElse({
                duration: wholeTimeout,
                orElse: () =>
                  Effect.fail(failure(progress.handed ? "Unknown" : "Away", "The mail server did not answer in time."))
              }),
              Effect.map((info) => ({
                accepted: info.accepted.map(String),
                rejected: (info.rejectedErrors ?? []).map((error) => refusal(error, ""))
              }))
            )
          })
      })
    })
  )

const failure = (reason: SubmissionError["reason"], detail: string, rejected: ReadonlyArray<Refusal> = []) =>
  new SubmissionError({ reason, detail, rejected })

const step = <A = void>(
  run: (done: (error: unknown, value?: A) => void) => void,
  secret: string,
  progress: { readonly handed: boolean }
) =>
  Effect.callback<A, SubmissionError>((resume) =>
    run((error, value) =>
      resume(
        error === undefined || error === null
          ? Effect.succeed(value as A)
          : Effect.fail(failureOf(error, secret, progress.handed))
      )
    )
  )

/** Credentials for nodemailer. Its token object could renew tokens; ours serve one sign-in. */
const credentials = ({ secret, user }: MailLogin): SMTPConnection.AuthenticationType => {
  const value = Redacted.value(secret.value)
  if (secret._tag === "Password") return { user, pass: value }
  const oauth2: Pick<XOAuth2, "getToken" | "buildXOAuth2Token"> = {
    getToken: (_renew, done) => done(null, value),
    buildXOAuth2Token: (token) => Buffer.from(`user=${user}\x01auth=Bearer ${token}\x01\x01`).toString("base64")
  }
  // The library's type asks for its whole class, but the connection calls only these two methods.
  return { user, oauth2: oauth2 as XOAuth2 }
}

interface SmtpError {
  readonly code?: string | undefined
  readonly message?: string | undefined
  readonly response?: string | undefined
  readonly responseCode?: number | undefined
  readonly recipient?: string | undefined
  readonly rejectedErrors?: ReadonlyArray<SmtpError> | undefined
}

/** Maps an error of the library to a reason. */
const failureOf = (error: unknown, secret: string, handed: boolean): SubmissionError => {
  const { code, rejectedErrors = [], responseCode, ...rest } = error as SmtpError
  const detail = line(rest, secret)
  if (code === "EAUTH")
    return failure(responseCode === undefined || responseCode >= 500 ? "SignInRefused" : "Away", detail)
  if (code === "EENVELOPE" && rejectedErrors.length > 0) {
    const later = rejectedErrors.some((refused) => (refused.responseCode ?? 0) < 500)
    return later
      ? failure("Away", detail)
      : failure(
          "RecipientsRefused",
          detail,
          rejectedErrors.map((refused) => refusal(refused, secret))
        )
  }
  if (responseCode === 552 || (code === "EMESSAGE" && responseCode === undefined && !handed))
    return failure("TooLarge", detail)
  if (responseCode === undefined)
    return failure(handed ? "Unknown" : "Away", handed ? detail : "The mail server cannot be reached.")
  return failure(responseCode >= 500 ? "Refused" : "Away", detail)
}

const refusal = (error: SmtpError, secret: string): Refusal => ({
  address: error.recipient ?? "",
  detail: line(error, secret)
})

/** One line of bounded length. Removes the secret, because some servers repeat it. */
const line = ({ message, response }: SmtpError, secret: string): string => {
  const text = (response ?? message ?? "")
    .toWellFormed()
    .replace(/[\p{C}\s]+/gu, " ")
    .trim()
  return (secret === "" ? text : text.replaceAll(secret, "…")).slice(0, maxDetail)
}
