/**
 * What a server says to a token it refuses, before it ends the exchange: JSON in base64. Pure. Sources: RFC 7628 §3.2.2
 * for OAUTHBEARER; Google's form for XOAUTH2, whose status is an HTTP status as text. The client must answer it
 * (`errorAnswer`).
 */
import { Result, Schema } from "effect"
import { fromLine } from "./Line.ts"
import { SaslError } from "./SaslError.ts"

/** Members beyond these are left out. */
export const ErrorChallenge = Schema.Struct({
  /** `invalid_token`, `insufficient_scope`, `invalid_request`; with XOAUTH2 `401`, `403`, `400`. */
  status: Schema.String,
  /** With XOAUTH2 only: `bearer`. */
  schemes: Schema.optionalKey(Schema.String),
  /** What the token should be good for, words parted by spaces. */
  scope: Schema.optionalKey(Schema.String),
  /** Address of a document that says where tokens are had. */
  "openid-configuration": Schema.optionalKey(Schema.String)
})
export type ErrorChallenge = typeof ErrorChallenge.Type

const decode = Schema.decodeUnknownResult(Schema.fromJsonString(ErrorChallenge))

/** `line`: as it stands after `+ ` or `334 `. */
export const parse = (line: string): Result.Result<ErrorChallenge, SaslError> =>
  Result.flatMap(fromLine(line), (text) => Result.mapError(decode(text), () => new SaslError({ reason: "Malformed" })))
