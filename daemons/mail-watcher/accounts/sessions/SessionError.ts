/**
 * Errors of mail sessions. Errors of imapflow contain the commands that were sent, so they must not leave this file.
 * Pure.
 */
import type { SqlError } from "effect/sql"
import type { NoSigningKey } from "#core/auth/Signer.ts"
import { NotFound } from "#core/http/Problem.ts"
import type { SecretError } from "#core/config/Secrets.ts"
import { MailRefused, MailServerUnavailable, MailSignInRefused } from "../Errors.ts"
import type { NoLogin } from "../MailLogins.ts"

export type SignInError = MailServerUnavailable | MailSignInRefused | MailRefused

/** `NotFound`: a missing folder, or an error of the work itself. */
export type SessionError = SignInError | NotFound

/** Longest text of a mail server in an error detail. Unit: characters. */
const maxDetail = 200

export const unusable = (error: NoLogin | NoSigningKey | SecretError | SqlError.SqlError) =>
  new MailServerUnavailable({ detail: error._tag === "NoLogin" ? error.detail : "The login cannot be determined." })

/** Maps an error thrown by work on a session. */
export const workError = (error: unknown): SessionError => {
  if (error instanceof NotFound) return error
  return (error as { readonly mailboxMissing?: unknown } | undefined)?.mailboxMissing === true
    ? new NotFound({ detail: "The folder does not exist." })
    : sessionError(error)
}

/** Maps an error of the library. `secret` is removed from the text, because some servers repeat it. */
export const sessionError = (error: unknown, secret = ""): SignInError => {
  if (error instanceof MailServerUnavailable || error instanceof MailSignInRefused || error instanceof MailRefused)
    return error
  const { authenticationFailed, code, responseStatus, responseText, serverResponseCode } = (error ?? {}) as Record<
    string,
    unknown
  >
  const said = String(responseText ?? "")
  const detail = (secret === "" ? said : said.replaceAll(secret, "…"))
    .toWellFormed()
    .replace(/[\p{C}\s]+/gu, " ")
    .trim()
    .slice(0, maxDetail)
  // RFC 5530: UNAVAILABLE means that a part of the server is down, not a wrong password.
  if (authenticationFailed === true && serverResponseCode !== "UNAVAILABLE") return new MailSignInRefused({ detail })
  if (responseStatus === "NO" || responseStatus === "BAD") return new MailRefused({ detail })
  if (code === "Unreadable") return new MailRefused({ detail: "The mail server's answer cannot be read." })
  if (tooLarge(code)) return new MailRefused({ detail: "The mail server's answer is too long." })
  return new MailServerUnavailable({ detail: "The connection to the mail server failed." })
}

/** Whether the response exceeded a limit of ours; the session is then closed. */
export const tooLarge = (code: unknown): boolean =>
  code === "LineTooLarge" || code === "LiteralTooLarge" || code === "ResponseTooLarge"

/** Whether the response exceeded a limit of ours or was not valid IMAP. */
export const unread = (code: unknown): boolean => tooLarge(code) || code === "Unreadable"
