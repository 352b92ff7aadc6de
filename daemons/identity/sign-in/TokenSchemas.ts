/** Tokens in requests and answers of sign-in. */
import { Schema } from "effect"

/** What a sign-in gives. Source: RFC 6749 §5.1. */
export const Tokens = Schema.Struct({
  access_token: Schema.String,
  token_type: Schema.Literal("Bearer"),
  /** Of the access token. Unit: seconds. */
  expires_in: Schema.Int,
  /** Absent where it went into the cookie. */
  refresh_token: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "Tokens" })

/**
 * For browsers: the refresh token is not answered but set as the cookie `signalbox_refresh`, which no script reads and
 * no other site sends. Default: false.
 */
export const AsCookie = Schema.optionalKey(Schema.Boolean)
