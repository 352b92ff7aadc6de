import { Schema } from "effect"

/** Why a SASL string could not be written or read. Trying again does not help. */
export class SaslError extends Schema.TaggedError<SaslError>()("SaslError", {
  /**
   * `TooLong`: beyond `maxLength`; `NotBase64`, `NotUtf8`: of the line; `Malformed`: not the mechanism's grammar;
   * `User`, `Token`, `Host`, `Port`: that part is missing, or cannot be said in it; `ChannelBinding`: asked for, and
   * there is none.
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
  /** Shows nothing of the string: it holds a token. */
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
