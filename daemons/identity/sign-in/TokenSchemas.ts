/** Schemas of tokens in sign-in requests and responses. */
import { Schema } from "effect"

/** Token response of a sign-in. Source: RFC 6749 §5.1. */
export const Tokens = Schema.Struct({
  access_token: Schema.String,
  token_type: Schema.Literal("Bearer"),
  /** Lifetime of the access token. Unit: seconds. */
  expires_in: Schema.Int,
  /** Absent when it was set as a cookie. */
  refresh_token: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "Tokens" })

/**
 * For browsers: sets the refresh token as the cookie `signalbox_refresh`, instead of returning it. Scripts cannot read
 * the cookie, and other sites cannot send it. Default: false.
 */
export const AsCookie = Schema.optionalKey(Schema.Boolean)
