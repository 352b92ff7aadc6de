/**
 * Answers to the mail server about a token. Pure. Source: RFC 7662 §2.2, interface document 1 §2.3. An unusable token
 * is 200 `{"active":false}`, so that the client requests a new one. Every other failure looks like an outage to
 * Dovecot, so that no user is told that the password is wrong.
 */
import type { MailClaims } from "#core/auth/TokenClaims.ts"
import type { PreparedAnswer as Answer } from "#core/lane/PreparedAnswer.ts"
import { remembering } from "#core/lane/Remembering.ts"
import type { CachedMailAccount } from "./MailAccountsProjection.ts"

/** Scope of a mail token. Source: interface document 1 §2.3. */
const scope = "imap smtp"

const headers = (length: number): ReadonlyArray<string> => [
  "content-type",
  "application/json",
  "cache-control",
  "no-store",
  "content-length",
  String(length)
]

const answer = (status: 200 | 400 | 401 | 413 | 415 | 503, body: string, ...more: ReadonlyArray<string>): Answer => ({
  status,
  body,
  headers: [...headers(body.length), ...more]
})

export const inactive: Answer = answer(200, '{"active":false}')

/** The field `token` is missing. Source: RFC 6749 §5.2. */
export const missingToken: Answer = answer(400, error("invalid_request", "The form field token is missing."))

/** The caller is not authorised to introspect tokens. */
export const invalidClient: Answer = answer(
  401,
  error("invalid_client", "Authenticate by client credentials or x-service-token, from a permitted address."),
  "www-authenticate",
  'Basic realm="signalbox"'
)

/** The database does not answer, so the state of a token is unknown. */
export const unavailable: Answer = answer(
  503,
  error("temporarily_unavailable", "The state of the token is unknown; try again."),
  "retry-after",
  "1"
)

/** The body is not a form. */
export const invalidForm = (status: 400 | 413 | 415, detail: string): Answer =>
  answer(status, error("invalid_request", detail))

export const active = (claims: MailClaims): Answer => {
  const body = ascii(
    JSON.stringify({ active: true, username: claims.email, scope, token_type: "Bearer", exp: claims.expires })
  )
  return { status: 200, body, headers: headersFor(body.length) }
}

/** Cached headers, one list per content length, because thousands of answers are kept. */
const headersFor = remembering(1000, (length: number) => headers(length))

/** Escapes non-ASCII characters as JSON permits, so that the length in characters equals the length in bytes. */
const ascii = (json: string): string =>
  json.replace(/[\u0080-\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`)

/** Whether the account still matches the token. */
export const isOpen = (claims: MailClaims, account: CachedMailAccount | undefined): boolean =>
  account !== undefined &&
  account.state === "active" &&
  (claims.userId === null || account.userId === claims.userId) &&
  account.tenantId === claims.tenantId

function error(code: string, description: string): string {
  return JSON.stringify({ error: code, error_description: description })
}
