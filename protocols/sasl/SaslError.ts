import { Schema } from "effect"

/** Reason why a SASL message could not be encoded or decoded. A retry does not help. */
export class SaslError extends Schema.TaggedError<SaslError>()("SaslError", {
  /**
   * `TooLong`: longer than `maxLength`; `NotBase64`, `NotUtf8`: the line is not base64 or its content not UTF-8;
   * `Malformed`: violates the mechanism's grammar; `User`, `Token`, `Host`, `Port`: the part is missing or has invalid
   * characters; `ChannelBinding`: the client requires channel binding, which is not supported.
   */
  reason: Schema.Literals([
    "TooLong",
    "NotBase64",
    "NotUtf8",
    "Malformed",
    "User",
    "Token",
    "Host",
    "Port",
    "ChannelBinding"
  ])
}) {
  readonly retryable = false
  /** Contains no part of the message, which holds a token. */
  override get message(): string {
    return sentences[this.reason]
  }
}

const sentences = {
  TooLong: "the SASL string is too long",
  NotBase64: "the SASL string is not base64",
  NotUtf8: "the SASL string is not UTF-8",
  Malformed: "the SASL string does not follow the mechanism",
  User: "the user is missing or has characters that cannot be said",
  Token: "the token is missing or not a bearer token",
  Host: "the host has characters that cannot be said",
  Port: "the port is not a number from 1 to 65535",
  ChannelBinding: "channel binding is not known here"
}
