import { Schema } from "effect"

/** What went wrong with a call. `description` is the API's own text, bounded. */
export const BotApiReason = Schema.TaggedUnion({
  /** 401, or 404 without a known method: the token is wrong or withdrawn. */
  Unauthorized: {},
  /** 403: blocked by the user, not a member, may not start a conversation. */
  Forbidden: { description: Schema.String },
  /** 400 and the other 4xx: chat not found, text empty or too long. */
  BadRequest: { status: Schema.Int, description: Schema.String },
  /** 400: the user's privacy settings, or the group's rights, take no voice messages. Text still goes. */
  VoiceForbidden: { description: Schema.String },
  /** 413: more than the server, or a proxy before it, takes. */
  TooLarge: {},
  /** 400 after a group became a supergroup: write to the new id from now on. */
  ChatMigrated: { chatId: Schema.String },
  /** 429. `retryAfter` in milliseconds. */
  TooManyRequests: { retryAfter: Schema.Finite },
  /** 5xx. */
  ServerError: { status: Schema.Int },
  /** An answer that is not the API's: another server, a redirect, too long. */
  InvalidResponse: { status: Schema.Int, why: Schema.String },
  /** Seen here to be of no use, and not sent: an empty file, one that is no OGG/Opus, a caption too long. */
  Unsendable: { why: Schema.String },
  /**
   * Kept back by the caller's own pace, and not sent. `retryAfter` in milliseconds. The client itself never fails so.
   */
  HeldBack: { retryAfter: Schema.Finite },
  /** No connection was made: nothing was sent. */
  Unreachable: { code: Schema.String },
  /** The connection broke after the request may have been read. */
  ConnectionLost: { code: Schema.String },
  /** No answer in time; the message may have been delivered. */
  TimedOut: { milliseconds: Schema.Finite }
})
export type BotApiReason = typeof BotApiReason.Type

/**
 * Never holds the token, nor anything that the HTTP client said (its texts quote URLs, and the URL holds the token).
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
   * Whether a message may have been delivered: `no` nothing was sent, `yes` the API answered and did not, `perhaps`.
   */
  get reached(): "no" | "perhaps" | "yes" {
    return traits(this.reason).reached
  }

  override get message(): string {
    return `${this.method}: ${traits(this.reason).sentence}`
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
