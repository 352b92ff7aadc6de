/**
 * Decodes the error challenge: the JSON in base64 with which a server refuses a token before it ends the exchange.
 * Pure. Sources: RFC 7628 §3.2.2 for OAUTHBEARER; Google's format for XOAUTH2, whose status is an HTTP status as text.
 * The client must answer the challenge with the mechanism's `errorAnswer`.
 */
import { Result, Schema } from "effect"
import { fromLine } from "./Line.ts"
import { SaslError } from "./SaslError.ts"

/** Fields of a challenge. Other members are dropped. */
export const ErrorChallenge = Schema.Struct({
  /** `invalid_token`, `insufficient_scope`, `invalid_request`; with XOAUTH2 `401`, `403`, `400`. */
  status: Schema.String,
  /** With XOAUTH2 only: `bearer`. */
  schemes: Schema.optionalKey(Schema.String),
  /** Scopes that the token needs, separated by spaces. */
  scope: Schema.optionalKey(Schema.String),
  /** URL of the OpenID configuration, which names the token endpoint. */
  "openid-configuration": Schema.optionalKey(Schema.String)
})
export type ErrorChallenge = typeof ErrorChallenge.Type

const decode = Schema.decodeUnknownResult(Schema.fromJsonString(ErrorChallenge))

/** Decodes `line`, the text after `+ ` (IMAP) or `334 ` (SMTP). */
export const parse = (line: string): Result.Result<ErrorChallenge, SaslError> =>
  Result.flatMap(fromLine(line), (text) => Result.mapError(decode(text), () => new SaslError({ reason: "Malformed" })))
