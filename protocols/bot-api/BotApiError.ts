import { Schema } from "effect"

/** Reason why a call failed. `description` is the API's own text, cut to a maximum length. */
export const BotApiReason = Schema.TaggedUnion({
  /** 401, or 404: the token is wrong or revoked. */
  Unauthorized: {},
  /** 403: blocked by the user, not a member, may not start a conversation. */
  Forbidden: { description: Schema.String },
  /** 400 and other 4xx: chat not found, text empty or too long. */
  BadRequest: { status: Schema.Int, description: Schema.String },
  /** 400: the user's privacy settings or the group's rights forbid voice messages. Text messages still work. */
  VoiceForbidden: { description: Schema.String },
  /** 413: larger than the server, or a proxy before it, accepts. */
  TooLarge: {},
  /** 400 after a group became a supergroup: all further messages must go to the new id. */
  ChatMigrated: { chatId: Schema.String },
  /** 429. `retryAfter` in milliseconds. */
  TooManyRequests: { retryAfter: Schema.Finite },
  /** 5xx. */
  ServerError: { status: Schema.Int },
  /** The answer is not from the bot API (another server, a redirect) or is too long. */
  InvalidResponse: { status: Schema.Int, why: Schema.String },
  /** The client refused to send the message: empty file, not OGG/Opus, or caption too long. */
  Unsendable: { why: Schema.String },
  /**
   * The caller's own rate limit held the message back; nothing was sent. `retryAfter` in milliseconds. This client
   * itself never fails with it.
   */
  HeldBack: { retryAfter: Schema.Finite },
  /** No connection was opened, so nothing was sent. */
  Unreachable: { code: Schema.String },
  /** The connection broke; the server may have read the request before. */
  ConnectionLost: { code: Schema.String },
  /** No answer in time; the message may still have been delivered. */
  TimedOut: { milliseconds: Schema.Finite }
})
export type BotApiReason = typeof BotApiReason.Type

/**
 * Failed call of the bot API. Contains neither the token nor any text of the HTTP client, because those texts quote
 * URLs that hold the token.
 */
export class BotApiError extends Schema.TaggedError<BotApiError>()("BotApiError", {
  method: Schema.String,
  reason: BotApiReason
}) {
  /** Whether the same call can succeed later. */
  get retryable(): boolean {
    return traits(this.reason).retryable
  }

  /**
   * Whether the request reached the API. `no`: nothing was sent. `yes`: the API answered that it delivered nothing.
   * `perhaps`: a message may have been delivered.
   */
  get reached(): "no" | "perhaps" | "yes" {
    return traits(this.reason).reached
  }

  override get message(): string {
    return `${this.method}: ${traits(this.reason).sentence}`
  }

  /** The message without the API's text. */
  get ownWords(): string {
    return "description" in this.reason ? `${this.method}: the API refuses the call` : this.message
  }
}

interface Traits {
  readonly retryable: boolean
  readonly reached: "no" | "perhaps" | "yes"
  readonly sentence: string
}

const traits: (reason: BotApiReason) => Traits = BotApiReason.match({
  Unauthorized: (): Traits => ({ retryable: false, reached: "yes", sentence: "the bot token is not accepted" }),
  Forbidden: ({ description }): Traits => ({ retryable: false, reached: "yes", sentence: description }),
  BadRequest: ({ description, status }): Traits => ({
    retryable: false,
    reached: "yes",
    sentence: `${description} (${status})`
  }),
  VoiceForbidden: ({ description }): Traits => ({
    retryable: false,
    reached: "yes",
    sentence: `voice messages are not taken: ${description}`
  }),
  TooLarge: (): Traits => ({ retryable: false, reached: "yes", sentence: "too large for the server (413)" }),
  Unsendable: ({ why }): Traits => ({ retryable: false, reached: "no", sentence: why }),
  HeldBack: ({ retryAfter }): Traits => ({
    retryable: true,
    reached: "no",
    sentence: `kept back to hold the pace, again in ${Math.ceil(retryAfter)} ms`
  }),
  ChatMigrated: ({ chatId }): Traits => ({
    retryable: false,
    reached: "yes",
    sentence: `the chat has moved to ${chatId}`
  }),
  TooManyRequests: ({ retryAfter }): Traits => ({
    retryable: true,
    reached: "yes",
    sentence: `too many requests, again in ${retryAfter} ms`
  }),
  ServerError: ({ status }): Traits => ({ retryable: true, reached: "yes", sentence: `the server failed (${status})` }),
  InvalidResponse: ({ status, why }): Traits => ({
    retryable: true,
    reached: status >= 200 && status < 300 ? "perhaps" : "yes",
    sentence: `unusable answer (${status}): ${why}`
  }),
  Unreachable: ({ code }): Traits => ({ retryable: true, reached: "no", sentence: `not reachable (${code})` }),
  ConnectionLost: ({ code }): Traits => ({
    retryable: true,
    reached: "perhaps",
    sentence: `the connection was lost (${code})`
  }),
  TimedOut: ({ milliseconds }): Traits => ({
    retryable: true,
    reached: "perhaps",
    sentence: `no answer within ${milliseconds} ms`
  })
})
