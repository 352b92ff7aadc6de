/**
 * A client of the Telegram-compatible bot API: `POST {base}/bot{token}/{method}` with JSON. Plain text only (no
 * parse_mode): nothing in an alarm can break a message. It neither queues nor repeats; who calls it decides that.
 *
 * The token is part of the URL, so no error, span or log here carries a URL, nor what `fetch` says about one. The base
 * address is the operator's: it is not checked against private ranges. Redirects would carry the token away: refused.
 */
import { Context, Duration, Effect, Layer, Redacted, Result, type Schema } from "effect"
import { decodeAnswer, Message, User } from "./Answer.ts"
import { BotApiError, type BotApiReason } from "./BotApiError.ts"

export interface BotApiOptions {
  /** Default `defaultBaseUrl`. */
  readonly baseUrl?: string
  readonly token: Redacted.Redacted
  /** For one call, the answer included. Default `defaultTimeout`. */
  readonly timeout?: Duration.Duration
}

export const defaultBaseUrl = "https://api.telegram.org"

/** Reason: the API answers within a second; a longer wait delays the next chat. */
export const defaultTimeout = Duration.seconds(10)

/** Unit: bytes. Reason: answers used here are below 4 KiB. */
export const maxAnswerBytes = 64 * 1024

export interface OutgoingMessage {
  /** Integer, or `@channel`. */
  readonly chatId: string
  /** 1 to 4,096 units: see `splitText`. */
  readonly text: string
}

export class BotApi extends Context.Service<BotApi, {
  /** Who the token belongs to: the check that sends nothing. */
  readonly getMe: Effect.Effect<User, BotApiError>
  readonly sendMessage: (message: OutgoingMessage) => Effect.Effect<Message, BotApiError>
}>()("signalbox/protocols/BotApi") {
  static readonly layer = (options: BotApiOptions): Layer.Layer<BotApi> => Layer.sync(BotApi, () => make(options))
}

export const make = (options: BotApiOptions): BotApi["Service"] => {
  const timeout = options.timeout ?? defaultTimeout
  const base = (options.baseUrl ?? defaultBaseUrl).replace(/\/+$/, "")

  const call = <A>(method: string, result: Schema.Codec<A, unknown>, payload: object): Effect.Effect<A, BotApiError> => {
    const fail = (reason: BotApiReason) => new BotApiError({ method, reason })
    return Effect.tryPromise({
      try: (signal) => exchange(`${base}/bot${Redacted.value(options.token)}/${method}`, JSON.stringify(payload), signal),
      catch: (error) => fail(error instanceof Oversize ? { _tag: "InvalidResponse", status: error.status, why: "too long" } : connectionReason(error))
    }).pipe(
      Effect.timeoutOrElse({ duration: timeout, orElse: () => Effect.fail(fail({ _tag: "TimedOut", milliseconds: Duration.toMillis(timeout) })) }),
      Effect.flatMap(({ body, status }) => Effect.fromResult(Result.mapError(decodeAnswer(result, status, body), fail))),
      Effect.withSpan("BotApi.call", { kind: "client", attributes: { "bot_api.method": method } })
    )
  }

  return {
    getMe: call("getMe", User, {}),
    sendMessage: ({ chatId, text }) => call("sendMessage", Message, { chat_id: chatId, text })
  }
}

class Oversize {
  readonly status: number
  constructor(status: number) {
    this.status = status
  }
}

const exchange = async (url: string, body: string, signal: AbortSignal) => {
  const response = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body, redirect: "manual", signal })
  const chunks: Array<Uint8Array> = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    // Leaving the loop cancels the stream, which closes the socket.
    if (size > maxAnswerBytes) throw new Oversize(response.status)
    chunks.push(chunk)
  }
  return { status: response.status, body: Buffer.concat(chunks).toString("utf8") }
}

/** Of what `fetch` throws only the code of its cause is kept: the texts may quote the URL. */
const connectionReason = (error: unknown): BotApiReason => {
  const cause = error instanceof Error ? error.cause : undefined
  // Without a cause it is the request that could not be made of this address (credentials in it, for one).
  if (cause === undefined) return { _tag: "Unreachable", code: "unusable base address" }
  const code = typeof cause === "object" && cause !== null && "code" in cause && typeof cause.code === "string" ? cause.code : "unknown"
  return unsent.test(code) ? { _tag: "Unreachable", code } : { _tag: "ConnectionLost", code }
}

/** Codes that can only come before a connection stands. ETIMEDOUT and EHOSTUNREACH can also break a standing one. */
const unsent = /^(?:ECONNREFUSED|ENOTFOUND|EAI_\w+|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|ERR_INVALID_URL|ERR_TLS_CERT_\w+|CERT_\w+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|ERR_SSL_\w+)$/
